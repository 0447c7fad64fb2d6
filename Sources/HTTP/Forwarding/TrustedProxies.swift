import QuickActions

/// The proxies that are trusted to name the sender of a request, and the field that they use.
package struct TrustedProxies: Sendable {
    /// The field that the proxies set. The other field is ignored, because a client may have sent it through them.
    package enum Field: String, Sendable, CaseIterable {
        /// `X-Forwarded-For` and `X-Forwarded-Proto`.
        case xForwarded = "x-forwarded"
        /// `Forwarded` (RFC 7239).
        case forwarded
    }

    package var blocks: [AddressBlock] = []
    package var field = Field.xForwarded

    package init() {}

    /// - Parameter address: numeric, without port.
    package func contains(_ address: String) -> Bool {
        !blocks.isEmpty && (IPAddress(address).map(contains) ?? false)
    }

    private func contains(_ address: IPAddress) -> Bool { blocks.contains { $0.contains(address) } }

    /// The sender of a request with these fields: the nearest address that is not a trusted proxy's. An invalid or hidden (`unknown`)
    /// element ends the search at that proxy.
    /// - Parameter peer: the numeric address of the connection.
    package func sender(of fields: Fields, from peer: String) -> Sender {
        guard contains(peer) else { return Sender(address: peer) }
        var hops = ForwardedHops(fields, field)
        var sender = Sender(address: peer)
        // Each element is written by the proxy before it, so an address counts only if that proxy is trusted.
        while let hop = hops.next() {
            sender.isEncrypted = hop.isEncrypted
            guard let address = hop.address else { break }
            sender.address = address.description
            guard contains(address) else { break }
        }
        return sender
    }
}

/// Who sent a request: the connection's peer, or the client that a trusted proxy names.
package struct Sender: Equatable, Sendable {
    /// Numeric, without port.
    package fileprivate(set) var address: String
    /// Whether the client used TLS to its proxy; nil if no trusted proxy says so.
    package fileprivate(set) var isEncrypted: Bool?

    package init(address: String, isEncrypted: Bool? = nil) {
        self.address = address
        self.isEncrypted = isEncrypted
    }

    /// Identifies a client: the IPv4 address, or the /64 network of an IPv6 address, which usually belongs to one client.
    package var network: String {
        guard let parsed = IPAddress(address) else { return address }
        return parsed.family == .v4 ? "\(parsed)" : "\(String(parsed.high, radix: 16))/64"
    }
}
