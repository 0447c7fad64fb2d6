/// Where an action leads: a URI with its scheme (RFC 3986 section 3; `absolute-URI` of section 4.3 would have no fragment, by which
/// apps route too), https or a custom scheme, at most 2,048 bytes. It is kept as sent, with its fragment.
package struct ActionURL: Hashable, Sendable, TextRepresentable {
    package let description: String

    package enum Refusal: Error {
        case invalid, tooLong, scheme
    }

    package static let longest = 2048
    private static let refusedSchemes: Set = ["http", "javascript", "data", "file", "about", "blob"]

    package init(checking text: String) throws(Refusal) {
        guard text.utf8.count <= Self.longest else { throw .tooLong }
        guard let scheme = URIGrammar.scheme(ofAbsolute: text) else { throw .invalid }
        guard !Self.refusedSchemes.contains(scheme) else { throw .scheme }
        if scheme == "https", URIGrammar.host(of: text)?.isEmpty ?? true { throw .invalid }
        description = text
    }

    /// One that was checked when it was stored.
    package init(stored text: String) {
        description = text
    }

    /// In lower case: schemes are compared case-insensitively.
    package var scheme: String {
        description.prefix { $0 != ":" }.lowercased()
    }
}

/// The parts of RFC 3986 that decide whether a text is an absolute URI.
package enum URIGrammar {
    /// The scheme in lower case; nil when the text is no absolute URI. Letters beyond ASCII must be percent-encoded.
    package static func scheme(ofAbsolute text: String) -> String? {
        let bytes = Array(text.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), let first = bytes.first, first.isASCIILetter,
            bytes[..<colon].allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) }),
            hasOnlyURICharacters(bytes[(colon + 1)...]), hasValidAuthority(text)
        else { return nil }
        return String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
    }

    /// The host without user information and port; nil where there is no authority.
    package static func host(of text: String) -> Substring? {
        authority(of: text).map { splitPort(afterUserInfo($0)).host }
    }

    /// The port as it is written; nil where there is none.
    package static func port(of text: String) -> Substring? {
        authority(of: text).flatMap { splitPort(afterUserInfo($0)).port }
    }

    /// What stands behind the authority and before query and fragment.
    package static func path(of text: String) -> Substring {
        guard let authority = authority(of: text) else { return "" }
        return text[authority.endIndex...].prefix { $0 != "?" && $0 != "#" }
    }

    /// What stands between the two slashes behind the scheme and the path.
    private static func authority(of text: String) -> Substring? {
        // Bytes, not characters: where an authority begins and ends is ASCII, and this is read with every document.
        let bytes = text.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) else { return nil }
        let rest = bytes[colon...].dropFirst(3)
        let end = rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
        return text[rest.startIndex..<end]
    }

    private static func afterUserInfo(_ authority: Substring) -> Substring {
        authority.utf8.lastIndex(of: UInt8(ascii: "@")).map { authority[authority.utf8.index(after: $0)...] } ?? authority
    }

    private static func splitPort(_ text: Substring) -> (host: Substring, port: Substring?) {
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { return (text, nil) }
            let rest = text[text.index(after: end)...]
            guard !rest.isEmpty else { return (text, nil) }
            // Whatever is not a port makes the whole no host.
            return rest.first == ":" ? (text[...end], rest.dropFirst()) : (text, nil)
        }
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return (text, nil) }
        return (text[..<colon], text[text.utf8.index(after: colon)...])
    }

    private static func hasValidAuthority(_ text: String) -> Bool {
        let brackets = text.utf8.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }
        guard let authority = authority(of: text) else { return brackets == 0 }
        let (host, port) = splitPort(afterUserInfo(authority))
        guard port?.utf8.allSatisfy({ $0.isASCIIDigit }) ?? true else { return false }
        guard host.first == "[" else { return brackets == 0 }
        return host.last == "]" && host.count > 2 && brackets == 2
            && host.dropFirst().dropLast().utf8.allSatisfy { $0.isASCIIHexDigit || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
    }

    private static func hasOnlyURICharacters(_ bytes: ArraySlice<UInt8>) -> Bool {
        var fragments = 0
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%") {
                guard index + 2 < bytes.endIndex, bytes[index + 1].isASCIIHexDigit, bytes[index + 2].isASCIIHexDigit else { return false }
                index += 2
            } else if byte == UInt8(ascii: "#") {
                fragments += 1
            } else if !byte.isASCIILetter, !byte.isASCIIDigit, !"-._~:/?[]@!$&'()*+,;=".utf8.contains(byte) {
                return false
            }
            index += 1
        }
        return fragments <= 1
    }
}
