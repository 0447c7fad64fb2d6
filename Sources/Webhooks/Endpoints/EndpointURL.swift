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
        let parts = URIParts(text)
        let scheme = try Self.scheme(parts, of: text)
        guard scheme == .https || !httpsOnly else {
            throw Refusal(.scheme, "\(quoted(text)) is not encrypted: this service sends webhooks to https URLs only.")
        }
        guard parts.userInfo == nil else {
            throw Refusal(.invalid, "The URL has user information before its host. Leave it out; send credentials in headers.")
        }
        self.scheme = scheme
        port = try parts.port.map(Self.port) ?? scheme.defaultPort
        host = try EndpointHost.read(String(parts.host ?? ""))
        target = String(parts.target)
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

    private static func scheme(_ parts: URIParts, of text: String) throws(Refusal) -> Scheme {
        guard let word = parts.scheme else {
            throw Refusal(.invalid, "\(quoted(text)) is not a URL. Use one such as https://example.com/hooks.")
        }
        guard let scheme = Scheme(rawValue: word.lowercased()) else {
            throw Refusal(.scheme, "\(quoted(String(word))) is not a scheme webhooks are sent with: use https or http.")
        }
        guard parts.host != nil else {
            throw Refusal(.invalid, "\(quoted(text)) lacks the // before its host. Use a URL such as https://example.com/hooks.")
        }
        return scheme
    }

    private static func port(_ digits: Substring) throws(Refusal) -> Int {
        guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy(\.isASCIIDigit), let port = Int(digits),
            (1...65535).contains(port)
        else { throw Refusal(.invalid, "\(quoted(String(digits))) is not a port: use a number from 1 to 65535.") }
        return port
    }
}

extension EndpointURL.Refusal {
    init(_ code: Code, _ message: String) {
        self.init(code: code, message: message)
    }
}
