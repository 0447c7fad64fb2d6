import CSystem
import Glibc

/// The socket calls of the server; each says its name and errno when it fails.
enum Sockets {
    /// A listening socket that shares its port with the other event loops.
    static func listen(on address: SocketAddress, backlog: Int32 = 1024) throws(SystemError) -> Descriptor {
        let family = Int32(address.storage.ss_family)
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let socket = Descriptor(try checked("socket", Glibc.socket(family, type, 0)))
        try enable(SO_REUSEADDR, SOL_SOCKET, socket.number)
        try enable(SO_REUSEPORT, SOL_SOCKET, socket.number)
        try checked("bind", address.withPointer { bind(socket.number, $0, $1) })
        try checked("listen", Glibc.listen(socket.number, backlog))
        return socket
    }

    /// Nil when nobody is waiting, or the one who was has gone again.
    static func accept(from listener: Int32) throws(SystemError) -> Accepted? {
        var storage = sockaddr_storage()
        let number = longpress_accept(listener, &storage)
        guard number >= 0 else {
            switch errno {
            case EAGAIN, EINTR, ECONNABORTED, EPROTO: return nil
            default: throw SystemError(call: "accept4", errno: errno)
            }
        }
        let socket = Descriptor(number)
        try? enable(TCP_NODELAY, Int32(IPPROTO_TCP), socket.number)
        return Accepted(socket: socket, peer: SocketAddress(storage: storage))
    }

    /// A client and where it comes from.
    struct Accepted: ~Copyable {
        let socket: Descriptor
        let peer: SocketAddress

        consuming func connection(serving application: Application, on loop: EventLoop) -> Connection {
            Connection(socket, peer, application, on: loop)
        }
    }

    enum Received {
        case bytes(Int)
        case wouldBlock
        case end
        case failed
    }

    static func receive(_ socket: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Received {
        let count = recv(socket, buffer.baseAddress, buffer.count, 0)
        if count > 0 { return .bytes(count) }
        if count == 0 { return .end }
        return errno == EAGAIN || errno == EINTR ? .wouldBlock : .failed
    }

    /// - Returns: how many bytes the socket took, nil when it has failed.
    static func send(_ socket: Int32, _ bytes: UnsafeRawBufferPointer) -> Int? {
        let count = Glibc.send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR ? 0 : nil
    }

    /// Tells the peer that nothing more comes.
    static func finish(_ socket: Int32) {
        shutdown(socket, Int32(SHUT_WR))
    }

    static func localAddress(_ socket: Int32) throws(SystemError) -> SocketAddress {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
        }
        try checked("getsockname", result)
        return SocketAddress(storage: storage)
    }

    private static func enable(_ option: Int32, _ level: Int32, _ socket: Int32) throws(SystemError) {
        var on: Int32 = 1
        try checked("setsockopt", setsockopt(socket, level, option, &on, socklen_t(MemoryLayout<Int32>.size)))
    }
}

/// An IPv4 or IPv6 address with a port.
package struct SocketAddress: @unchecked Sendable {
    // A plain C structure of bytes; nothing in it is shared.
    let storage: sockaddr_storage

    init(storage: sockaddr_storage) {
        self.storage = storage
    }

    /// Nil unless the host is a literal IPv4 or IPv6 address.
    package init?(host: String, port: UInt16) {
        var storage = sockaddr_storage()
        let parsed = withUnsafeMutablePointer(to: &storage) { pointer in
            let isV4 = pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
                address.pointee.sin_family = sa_family_t(AF_INET)
                address.pointee.sin_port = port.bigEndian
                return inet_pton(AF_INET, host, &address.pointee.sin_addr) == 1
            }
            return isV4
                || pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                    address.pointee = sockaddr_in6()
                    address.pointee.sin6_family = sa_family_t(AF_INET6)
                    address.pointee.sin6_port = port.bigEndian
                    return inet_pton(AF_INET6, host, &address.pointee.sin6_addr) == 1
                }
        }
        guard parsed else { return nil }
        self.storage = storage
    }

    package var port: UInt16 {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { UInt16(bigEndian: $0.pointee.sin_port) }
        }
    }

    /// The address without its port.
    package var host: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        withUnsafePointer(to: storage) { pointer in
            if Int32(storage.ss_family) == AF_INET {
                pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
                    var host = address.pointee.sin_addr
                    _ = inet_ntop(AF_INET, &host, &text, socklen_t(text.count))
                }
            } else {
                pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                    var host = address.pointee.sin6_addr
                    _ = inet_ntop(AF_INET6, &host, &text, socklen_t(text.count))
                }
            }
        }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    func withPort(of other: SocketAddress) -> SocketAddress {
        SocketAddress(host: host, port: other.port) ?? self
    }

    fileprivate func withPointer<Value>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                let isV4 = Int32(storage.ss_family) == AF_INET
                let length = isV4 ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
                return body(address, socklen_t(length))
            }
        }
    }
}
