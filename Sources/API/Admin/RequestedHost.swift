import QuickActions

/// The host and port that a client asked for: the value of `Host` (RFC 9110 section 7.2).
struct RequestedHost: Equatable {
    /// In lower case; an IPv6 address is in brackets.
    let name: String
    /// Nil for the scheme's default port.
    let port: UInt16?

    init?(_ authority: some StringProtocol) {
        let text = authority.lowercased()
        let colon = text.lastIndex(of: ":").flatMap { text[$0...].contains("]") ? nil : $0 }
        let digits = colon.map { text[text.index(after: $0)...] } ?? ""
        name = String(text[..<(colon ?? text.endIndex)])
        port = digits.isEmpty ? nil : UInt16(digits)
        guard !name.isEmpty, digits.utf8.allSatisfy(\.isASCIIDigit), digits.isEmpty || port != nil else { return nil }
    }

    /// Whether the host is this machine, where browsers keep cookies without TLS apart from those of other hosts.
    var isLoopback: Bool {
        if name == "localhost" || name.hasSuffix(".localhost") { return true }
        guard let address = IPAddress(name.trimmingBrackets) else { return false }
        return switch address.family {
        case .v4: address.low >> 24 == 127
        case .v6: address.high == 0 && address.low == 1
        }
    }

    /// Whether the origin is a page of this host, with any scheme: a proxy may have ended TLS.
    func isHost(ofOrigin origin: String) -> Bool {
        for (scheme, standard) in [("http://", 80), ("https://", 443)] as [(String, UInt16)] where origin.lowercased().hasPrefix(scheme) {
            guard let other = RequestedHost(origin.dropFirst(scheme.count)) else { return false }
            return other.name == name && (other.port ?? standard) == (port ?? standard)
        }
        return false
    }
}

extension String {
    fileprivate var trimmingBrackets: String {
        hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self
    }
}
