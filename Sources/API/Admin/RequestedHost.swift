import HTTP
import QuickActions
import Shortcuts

/// The host and port that a client asked for: the value of `Host` (RFC 9110 section 7.2).
struct RequestedHost: Equatable {
    /// In lower case; an IPv6 address is in brackets.
    let name: String
    /// Nil for the scheme's default port.
    let port: UInt16?

    init?(_ authority: String) {
        self.init(URIParts("//\(authority)"))
    }

    private init?(_ parts: URIParts) {
        guard let host = parts.host, !host.isEmpty, parts.userInfo == nil, parts.target.isEmpty, parts.fragment == nil else { return nil }
        let digits = parts.port ?? ""
        name = host.lowercased()
        port = UInt16(digits)
        guard digits.isEmpty || port != nil && digits.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    }

    /// Whether the host is this machine, where browsers keep cookies without TLS apart from those of other hosts.
    var isLoopback: Bool {
        if name == "localhost" || name.hasSuffix(".localhost") { return true }
        let bare = name.hasPrefix("[") && name.hasSuffix("]") ? String(name.dropFirst().dropLast()) : name
        guard let address = IPAddress(bare) else { return false }
        return switch address.family {
        case .v4: address.low >> 24 == 127
        case .v6: address.high == 0 && address.low == 1
        }
    }

    /// Whether the origin is a page of this host, with any scheme: a proxy may have ended TLS.
    func isHost(ofOrigin origin: String) -> Bool {
        let parts = URIParts(origin)
        guard let scheme = parts.scheme?.lowercased(), let standard: UInt16 = ["http": 80, "https": 443][scheme],
            let other = RequestedHost(parts)
        else { return false }
        return other.name == name && (other.port ?? standard) == (port ?? standard)
    }
}

extension Request {
    /// Requires that the request comes from a page of this service. The browser says so in `Sec-Fetch-Site` (Fetch Metadata, section 2.3).
    /// Browsers without that field, and connections that are not trustworthy, send `Origin`. A program that sends neither must use a bearer
    /// token.
    /// - Throws: `crossSite`.
    func requireSameOrigin() throws(Failure) {
        let isOurs =
            if let site = fields.combined("Sec-Fetch-Site") {
                site == "same-origin"
            } else {
                fields.combined("Origin").map { requestedHost?.isHost(ofOrigin: $0) ?? false } ?? false
            }
        guard isOurs else {
            throw Failure(
                .crossSite,
                "The request does not come from a page of this service: it has neither the field Sec-Fetch-Site: same-origin nor the "
                    + "service's own Origin. Programs must send the field Authorization: Bearer lp_… instead of a session.")
        }
    }

    /// Nil if `Host` is missing, malformed or repeated.
    var requestedHost: RequestedHost? { fields.combined("Host").flatMap { RequestedHost($0) } }
}

extension Method {
    /// RFC 9110 section 9.2.1.
    var isSafe: Bool { [.get, .head, .options, .trace].contains(self) }
}
