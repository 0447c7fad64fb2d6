import CLinux
import Glibc
import HTTP

/// A numeric IPv4 or IPv6 address and a port.
package struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
    /// Without brackets.
    package let host: String
    package let port: UInt16
    let isIPv6: Bool

    /// `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`, which is 127.0.0.1, or `:8080`, which is every IPv4 address of the machine. Port 0
    /// lets the system choose a free port. Nil for any other text.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else { return nil }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
            var address = in6_addr()
            guard inet_pton(AF_INET6, host, &address) == 1 else { return nil }
            isIPv6 = true
        } else {
            host = host.isEmpty ? "0.0.0.0" : host == "localhost" ? "127.0.0.1" : host
            var address = in_addr()
            guard inet_pton(AF_INET, host, &address) == 1 else { return nil }
            isIPv6 = false
        }
        self.host = host
        self.port = port
    }

    private init(host: String, port: UInt16, isIPv6: Bool) {
        self.host = host
        self.port = port
        self.isIPv6 = isIPv6
    }

    package static func loopback(port: UInt16) -> SocketAddress { SocketAddress(host: "127.0.0.1", port: port, isIPv6: false) }

    /// Whether it is every address of the machine.
    package var isWildcard: Bool { host == "0.0.0.0" || host == "::" }

    package var description: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// See `Sender`.
    var network: String { Sender(address: host).network }

    func with(port: UInt16) -> SocketAddress { SocketAddress(host: host, port: port, isIPv6: isIPv6) }

    /// Calls `body` with the address as a `sockaddr`.
    func withRaw<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
        var storage = sockaddr_storage()
        return withUnsafeMutablePointer(to: &storage) { pointer in
            let raw = UnsafeMutableRawPointer(pointer)
            if isIPv6 {
                let address = raw.assumingMemoryBound(to: sockaddr_in6.self)
                address.pointee.sin6_family = sa_family_t(AF_INET6)
                address.pointee.sin6_port = port.bigEndian
                _ = inet_pton(AF_INET6, host, &address.pointee.sin6_addr)
            } else {
                let address = raw.assumingMemoryBound(to: sockaddr_in.self)
                address.pointee.sin_family = sa_family_t(AF_INET)
                address.pointee.sin_port = port.bigEndian
                _ = inet_pton(AF_INET, host, &address.pointee.sin_addr)
            }
            let size = isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
            return body(raw.assumingMemoryBound(to: sockaddr.self), socklen_t(size))
        }
    }

    /// The address that `getsockname` or `getpeername` returns for the socket; nil if the call fails or the address family differs.
    init?(of raw: Int32, _ call: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let parsed: (String, UInt16, Bool)? = withUnsafeMutablePointer(to: &storage) { pointer in
            let raw4 = UnsafeMutableRawPointer(pointer)
            guard call(raw, raw4.assumingMemoryBound(to: sockaddr.self), &length) == 0 else { return nil }
            switch Int32(pointer.pointee.ss_family) {
            case AF_INET:
                let address = raw4.assumingMemoryBound(to: sockaddr_in.self)
                guard inet_ntop(AF_INET, &address.pointee.sin_addr, &text, socklen_t(text.count)) != nil else { return nil }
                return (Self.string(text), UInt16(bigEndian: address.pointee.sin_port), false)
            case AF_INET6:
                let address = raw4.assumingMemoryBound(to: sockaddr_in6.self)
                guard inet_ntop(AF_INET6, &address.pointee.sin6_addr, &text, socklen_t(text.count)) != nil else { return nil }
                return (Self.string(text), UInt16(bigEndian: address.pointee.sin6_port), true)
            default:
                return nil
            }
        }
        guard let parsed else { return nil }
        self.init(host: parsed.0, port: parsed.1, isIPv6: parsed.2)
    }

    private static func string(_ text: [CChar]) -> String {
        String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
