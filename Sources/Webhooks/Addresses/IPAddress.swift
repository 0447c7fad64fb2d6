import Glibc
import QuickActions

/// An IPv4 or IPv6 address. An IPv4-mapped one (`::ffff:0:0/96`) is the IPv4 address it stands for.
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    package enum Family: Sendable { case v4, v6 }

    package let family: Family
    /// The number in the low 32 (IPv4) or all 128 bits (IPv6).
    let bits: UInt128

    /// - Parameter bytes: 4 or 16 bytes in network order.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        let number = bytes.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        let isMapped = bytes.count == 16 && number >> 32 == 0xFFFF
        family = bytes.count == 4 || isMapped ? .v4 : .v6
        bits = isMapped ? number & 0xFFFF_FFFF : number
    }

    /// Dotted decimal with four parts and no leading zeros, or RFC 4291 text without a zone.
    package init?(_ text: String) {
        if let v4 = Self.bytes(text, AF_INET, 4), Self.isPlainDotted(text) {
            self.init(bytes: v4)
        } else if let v6 = Self.bytes(text, AF_INET6, 16) {
            self.init(bytes: v6)
        } else {
            return nil
        }
    }

    /// From a `sockaddr_in` or `sockaddr_in6`.
    init?(socketAddress: UnsafeRawPointer) {
        switch Int32(socketAddress.loadUnaligned(as: sockaddr.self).sa_family) {
        case AF_INET:
            let address = socketAddress.loadUnaligned(as: sockaddr_in.self).sin_addr
            self.init(bytes: withUnsafeBytes(of: address) { Array($0) })
        case AF_INET6:
            let address = socketAddress.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            self.init(bytes: withUnsafeBytes(of: address) { Array($0) })
        default: return nil
        }
    }

    package var bytes: [UInt8] {
        let count = family == .v4 ? 4 : 16
        return (0..<count).map { UInt8(truncatingIfNeeded: bits >> UInt128((count - 1 - $0) * 8)) }
    }

    package var description: String {
        var text = [CChar](repeating: 0, count: 64)
        inet_ntop(family == .v4 ? AF_INET : AF_INET6, bytes, &text, 64)
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func bytes(_ text: String, _ family: Int32, _ count: Int) -> [UInt8]? {
        guard !text.utf8.contains(0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }

    private static func isPlainDotted(_ text: String) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { $0 == "0" || $0.first != "0" }
    }
}
