import QuickActions

/// Prevents server-side request forgery: webhooks may be sent to public addresses only, and to the blocks that the operator exempts.
package struct AddressGuard: Sendable {
    /// The special-purpose address registries of IANA (RFC 6890 and its successors), multicast and reserved blocks.
    package static let blocked = AddressBlock.list(
        """
        0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
        192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
        255.255.255.255/32
        ::/128 ::1/128 ::/96 fe80::/10 fec0::/10 fc00::/7 ff00::/8 2001:db8::/32 3fff::/20 100::/64 2002::/16
        2001::/32 64:ff9b::/96 64:ff9b:1::/48 5f00::/16
        """)

    private let exempt: [AddressBlock]

    package init(exempt: [AddressBlock] = []) {
        self.exempt = exempt
    }

    /// Parses the flag `--webhook-allow`: blocks separated by commas; empty for none.
    package init(allowing text: String) throws(TextError) {
        self.init(exempt: try AddressBlock.blocks(parsing: text))
    }

    package func allows(_ address: IPAddress) -> Bool {
        exempt.contains { $0.contains(address) } || !Self.blocked.contains { $0.contains(address) }
    }
}
