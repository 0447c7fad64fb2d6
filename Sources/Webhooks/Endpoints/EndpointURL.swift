import QuickActions
import Shortcuts

/// Where an endpoint listens: an http or https URL whose parts are spelled in one way only, so that every program that
/// reads it (this one, libcurl, the receiver) sees the same host.
package struct EndpointURL: Hashable, Sendable {
    enum Host: Hashable, Sendable {
        /// In lower case, without a dot at the end.
        case name(String)
        case address(IPAddress)
    }

    enum Scheme: String {
        case http, https

        var defaultPort: Int { self == .http ? 80 : 443 }
    }

    package struct Refusal: Error, Hashable, Sendable {
        package enum Code: String, Sendable {
            case invalid = "url-invalid"
            case scheme = "url-scheme"
            case tooLong = "url-too-long"
            case blockedAddress = "address-blocked"
        }

        package let code: Code
        package let message: String
    }

    static let longest = 2048

    let scheme: Scheme
    let host: Host
    let port: Int
    /// Path and query, as written; empty or beginning with `/` or `?`.
    let target: String

    package init(_ text: String, httpsOnly: Bool = false) throws(Refusal) {
        guard text.utf8.count <= Self.longest else {
            throw Refusal(.tooLong, "The URL is \(text.utf8.count) bytes long: use at most \(Self.longest).")
        }
        try Self.checkCharacters(text)
        let (scheme, rest) = try Self.splitScheme(text)
        guard scheme == .https || !httpsOnly else {
            throw Refusal(.scheme, "\(quoted(text)) is not encrypted: this service sends webhooks to https URLs only.")
        }
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !authority.contains("@") else {
            throw Refusal(.invalid, "The URL has user information before its host. Leave it out; send credentials in headers.")
        }
        let (host, port) = try Self.splitPort(authority, in: text)
        self.scheme = scheme
        self.host = try EndpointHost.read(String(host))
        self.port = port ?? scheme.defaultPort
        target = String(rest[authority.endIndex...].prefix { $0 != "#" })
    }

    /// The URL as it is handed to libcurl.
    var text: String {
        let shownPort = port == scheme.defaultPort ? "" : ":\(port)"
        return "\(scheme)://\(hostText)\(shownPort)\(target)"
    }

    var hostText: String {
        switch host {
        case .name(let name): name
        case .address(let address): address.family == .v4 ? "\(address)" : "[\(address)]"
        }
    }

    /// A name is judged at each attempt, by the addresses it then has.
    package func check(by addressGuard: AddressGuard) throws(Refusal) {
        guard case .address(let address) = host, !addressGuard.allows(address) else { return }
        throw Refusal(
            .blockedAddress,
            "\(address) is an address that webhooks are not sent to: use a public one, or have the operator exempt it with --webhook-allow."
        )
    }

    private static func checkCharacters(_ text: String) throws(Refusal) {
        for byte in text.utf8 {
            switch byte {
            case 0x20: throw Refusal(.invalid, "\(quoted(text)) has a blank in it: write it as %20 or remove it.")
            case ..<0x20, 0x7F: throw Refusal(.invalid, "\(quoted(text)) has a control character in it: remove it.")
            case UInt8(ascii: "\\"): throw Refusal(.invalid, "\(quoted(text)) has a backslash in it: use / instead.")
            case 0x80...:
                throw Refusal(
                    .invalid, "\(quoted(text)) has letters beyond ASCII: percent-encode them, and write the host in its xn-- form.")
            default: continue
            }
        }
    }

    private static func splitScheme(_ text: String) throws(Refusal) -> (Scheme, Substring) {
        let word = text.prefix { $0 != ":" }
        guard word.endIndex != text.endIndex, let first = word.utf8.first, first.isASCIILetter,
            word.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) })
        else { throw Refusal(.invalid, "\(quoted(text)) is not a URL. Use one such as https://example.com/hooks.") }
        guard let scheme = Scheme(rawValue: word.lowercased()) else {
            throw Refusal(.scheme, "\(quoted(String(word))) is not a scheme webhooks are sent with: use https or http.")
        }
        let rest = text[word.endIndex...]
        guard rest.hasPrefix("://") else {
            throw Refusal(.invalid, "\(quoted(text)) lacks the // before its host. Use a URL such as https://example.com/hooks.")
        }
        return (scheme, rest.dropFirst(3))
    }

    private static func splitPort(_ authority: Substring, in text: String) throws(Refusal) -> (Substring, Int?) {
        let hostEnd = authority.first == "[" ? authority.firstIndex(of: "]") ?? authority.endIndex : authority.startIndex
        guard let colon = authority[hostEnd...].firstIndex(of: ":") else { return (authority, nil) }
        let digits = authority[authority.index(after: colon)...]
        guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy(\.isASCIIDigit), let port = Int(digits),
            (1...65535).contains(port)
        else { throw Refusal(.invalid, "\(quoted(String(digits))) is not a port: use a number from 1 to 65535.") }
        return (authority[..<colon], port)
    }
}

extension EndpointURL.Refusal {
    init(_ code: Code, _ message: String) {
        self.init(code: code, message: message)
    }
}

extension UInt8 {
    var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
    var isASCIILetter: Bool { (0x61...0x7A).contains(self | 0x20) }
    var isASCIIHexDigit: Bool { isASCIIDigit || (0x61...0x66).contains(self | 0x20) }
}
