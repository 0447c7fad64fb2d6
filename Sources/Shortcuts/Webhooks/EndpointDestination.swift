import QuickActions

/// An http or https URL in a normal form, so that this program, libcurl and the receiver agree on the host. Differences between URL parsers
/// enable server-side request forgery.
package struct EndpointDestination: Hashable, Sendable {
    package enum Host: Hashable, Sendable {
        /// In lower case, without a trailing dot.
        case name(String)
        case address(IPAddress)
    }

    package enum Scheme: String, Sendable {
        case http, https

        var defaultPort: Int { self == .http ? 80 : 443 }
    }

    private static let maxBytes = 2048

    package let scheme: Scheme
    package let host: Host
    package let port: Int
    /// Path and query as written. Empty, or beginning with `/` or `?`.
    package let target: String

    init(_ text: String, httpsOnly: Bool = false) throws(EndpointURL.ParseError) {
        guard text.utf8.count <= Self.maxBytes else {
            throw EndpointURL.ParseError(.tooLong, "The URL has \(text.utf8.count) bytes. Use at most \(Self.maxBytes).")
        }
        try Self.checkCharacters(text)
        let parts = URIParts(text)
        let scheme = try Self.scheme(parts, of: text)
        guard scheme == .https || !httpsOnly else { throw .unencrypted(text) }
        guard parts.userInfo == nil else {
            throw EndpointURL.ParseError(.invalid, "The URL has a user name or password. Remove it, and send credentials in headers.")
        }
        self.scheme = scheme
        port = try parts.port.map(Self.port) ?? scheme.defaultPort
        host = try EndpointHost.read(String(parts.host ?? ""))
        target = String(parts.target)
    }

    /// The URL for libcurl.
    package var text: String {
        let shownPort = port == scheme.defaultPort ? "" : ":\(port)"
        return "\(scheme)://\(hostText)\(shownPort)\(target)"
    }

    /// The host as in a URL: IPv6 addresses in brackets.
    package var hostText: String {
        switch host {
        case .name(let name): name
        case .address(let address): address.family == .v4 ? "\(address)" : "[\(address)]"
        }
    }

    private static func checkCharacters(_ text: String) throws(EndpointURL.ParseError) {
        for byte in text.utf8 {
            switch byte {
            case 0x20: throw EndpointURL.ParseError(.invalid, "\(quoted(text)) has a space. Write it as %20 or remove it.")
            case ..<0x20, 0x7F: throw EndpointURL.ParseError(.invalid, "\(quoted(text)) has a control character. Remove it.")
            case UInt8(ascii: "\\"): throw EndpointURL.ParseError(.invalid, "\(quoted(text)) has a backslash. Use / instead.")
            case 0x80...:
                throw EndpointURL.ParseError(
                    .invalid, "\(quoted(text)) has non-ASCII characters. Percent-encode them, and write the host in its xn-- form.")
            default: continue
            }
        }
    }

    private static func scheme(_ parts: URIParts, of text: String) throws(EndpointURL.ParseError) -> Scheme {
        guard let word = parts.scheme else {
            throw EndpointURL.ParseError(.invalid, "\(quoted(text)) is not a URL. Use a URL such as https://example.com/hooks.")
        }
        guard let scheme = Scheme(rawValue: word.lowercased()) else {
            throw EndpointURL.ParseError(.scheme, "\(quoted(String(word))) is not a supported scheme. Use https or http.")
        }
        guard parts.host != nil else {
            throw EndpointURL.ParseError(
                .invalid, "\(quoted(text)) lacks the // before its host. Use a URL such as https://example.com/hooks.")
        }
        return scheme
    }

    private static func port(_ digits: Substring) throws(EndpointURL.ParseError) -> Int {
        guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy(\.isASCIIDigit), let port = Int(digits),
            (1...65535).contains(port)
        else { throw EndpointURL.ParseError(.invalid, "\(quoted(String(digits))) is not a port. Use a number from 1 to 65535.") }
        return port
    }
}
