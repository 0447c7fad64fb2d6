/// The components of a URI reference (RFC 3986 section 3), as slices of the text. They are split as in appendix B, without validation
/// of their characters; `isAbsoluteURI` validates.
package struct URIParts: Sendable {
    /// As written; nil if absent.
    package let scheme: Substring?
    /// The part of the authority before `@`; nil if absent.
    package let userInfo: Substring?
    /// An IP literal has its brackets; nil without an authority.
    package let host: Substring?
    /// The text after the colon; nil without a colon.
    package let port: Substring?
    package let path: Substring
    /// Path and query, as written.
    package let target: Substring
    package let fragment: Substring?

    // Compares bytes, because the delimiters are ASCII and comparing characters is much slower.
    package init(_ text: String) {
        let bytes = text.utf8
        var rest = text[...]
        let colonEnd = Self.schemeEnd(bytes)
        scheme = colonEnd.map { text[..<$0] }
        if let colonEnd { rest = text[bytes.index(after: colonEnd)...] }
        if rest.utf8.starts(with: "//".utf8) {
            let behind = rest.utf8.dropFirst(2)
            let end = behind.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? behind.endIndex
            let authority = text[behind.startIndex..<end]
            let at = authority.utf8.lastIndex(of: UInt8(ascii: "@"))
            userInfo = at.map { authority[..<$0] }
            (host, port) = Self.splitPort(at.map { authority[bytes.index(after: $0)...] } ?? authority)
            rest = text[end...]
        } else {
            (userInfo, host, port) = (nil, nil, nil)
        }
        let hash = rest.utf8.firstIndex(of: UInt8(ascii: "#"))
        fragment = hash.map { text[bytes.index(after: $0)...] }
        target = hash.map { rest[..<$0] } ?? rest
        path = target.utf8.firstIndex(of: UInt8(ascii: "?")).map { [target] in target[..<$0] } ?? target
    }

    /// The end of the scheme (section 3.1): a letter, then letters, digits, `+`, `-` and `.` up to the first colon.
    private static func schemeEnd(_ bytes: String.UTF8View) -> String.Index? {
        guard let first = bytes.first, first.isASCIILetter, let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            bytes[..<colon].allSatisfy({
                $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
            })
        else { return nil }
        return colon
    }

    /// Splits at the first colon, which in an IP literal is the first one after the brackets.
    private static func splitPort(_ text: Substring) -> (host: Substring, port: Substring?) {
        let bytes = text.utf8
        var hostEnd = text.startIndex
        if bytes.first == UInt8(ascii: "[") { hostEnd = bytes.firstIndex(of: UInt8(ascii: "]")) ?? text.endIndex }
        guard let colon = bytes[hostEnd...].firstIndex(of: UInt8(ascii: ":")) else { return (text, nil) }
        return (text[..<colon], text[bytes.index(after: colon)...])
    }
}

extension URIParts {
    /// Whether the text is a URI with a scheme, and valid by RFC 3986 section 3. A fragment is allowed; non-ASCII characters must be
    /// percent-encoded.
    static func isAbsoluteURI(_ text: String, _ parts: URIParts) -> Bool {
        guard let scheme = parts.scheme else { return false }
        return hasOnlyURICharacters(Array(text.utf8.dropFirst(scheme.utf8.count + 1))[...]) && parts.hasValidAuthority(in: text)
    }

    /// Brackets are allowed only around the address of a host, and a port has only digits.
    private func hasValidAuthority(in text: String) -> Bool {
        let brackets = text.utf8.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }
        guard let host else { return brackets == 0 }
        guard port?.utf8.allSatisfy(\.isASCIIDigit) ?? true else { return false }
        guard host.utf8.first == UInt8(ascii: "[") else { return brackets == 0 }
        return host.utf8.last == UInt8(ascii: "]") && host.utf8.count > 2 && brackets == 2
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
