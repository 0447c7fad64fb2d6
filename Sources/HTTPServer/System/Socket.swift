import CLinux
import Glibc

/// The outcome of a non-blocking read or write.
enum IOResult {
    case bytes(Int)
    case wouldBlock
    case failed
}

/// Calls on non-blocking stream sockets.
enum Socket {
    /// A listening socket. With `sharesPort` (SO_REUSEPORT), several sockets listen on one port and the kernel distributes the connections.
    static func listen(at address: SocketAddress, sharesPort: Bool) throws(SystemError) -> FileDescriptor {
        let socket = try bound(to: address, sharesPort: sharesPort)
        // Accepted sockets inherit the option.
        try set(socket, Int32(IPPROTO_TCP), TCP_NODELAY, "setsockopt(TCP_NODELAY)")
        try check("listen", Glibc.listen(socket.raw, 4096))
        return socket
    }

    /// Throws EADDRINUSE if another process listens at the address. SO_REUSEPORT would hide that.
    static func checkIsFree(_ address: SocketAddress) throws(SystemError) {
        _ = try bound(to: address, sharesPort: false)
    }

    private static func bound(to address: SocketAddress, sharesPort: Bool) throws(SystemError) -> FileDescriptor {
        let type = lp_sock_stream | lp_sock_nonblock | lp_sock_cloexec
        let socket = FileDescriptor(owning: try check("socket", Glibc.socket(address.isIPv6 ? AF_INET6 : AF_INET, type, 0)))
        try set(socket, SOL_SOCKET, SO_REUSEADDR, "setsockopt(SO_REUSEADDR)")
        if address.isIPv6 { try set(socket, Int32(IPPROTO_IPV6), IPV6_V6ONLY, "setsockopt(IPV6_V6ONLY)") }
        if sharesPort { try set(socket, SOL_SOCKET, SO_REUSEPORT, "setsockopt(SO_REUSEPORT)") }
        let raw = socket.raw
        try check("bind(\(address))", address.withRaw { bind(raw, $0, $1) })
        return socket
    }

    private static func set(
        _ socket: borrowing FileDescriptor, _ level: Int32, _ option: Int32, _ call: String
    ) throws(SystemError) {
        var on: Int32 = 1
        try check(call, setsockopt(socket.raw, level, option, &on, socklen_t(MemoryLayout<Int32>.size)))
    }

    enum Accepted: ~Copyable {
        case connection(FileDescriptor)
        case none
        /// No descriptor or memory for another connection (EMFILE, ENFILE, ENOMEM), or another error.
        case exhausted
    }

    static func accept(_ listener: Int32) -> Accepted {
        while true {
            let raw = accept4(listener, nil, nil, lp_sock_nonblock | lp_sock_cloexec)
            guard raw < 0 else { return .connection(FileDescriptor(owning: raw)) }
            switch errno {
            case EINTR, ECONNABORTED, EPROTO: continue
            case EAGAIN: return .none
            default: return .exhausted
            }
        }
    }

    /// `.bytes(0)`: the peer has shut down its sending side.
    static func read(_ raw: Int32, into buffer: UnsafeMutableBufferPointer<UInt8>) -> IOResult {
        while true {
            let count = recv(raw, buffer.baseAddress, buffer.count, 0)
            guard count < 0 else { return .bytes(count) }
            if errno == EINTR { continue }
            return errno == EAGAIN ? .wouldBlock : .failed
        }
    }

    /// Never raises SIGPIPE. With `more` (MSG_MORE) the kernel may delay a partial packet until the next `send`.
    static func send(_ raw: Int32, _ bytes: UnsafeRawBufferPointer, more: Bool = false) -> IOResult {
        let flags = lp_msg_nosignal | (more ? lp_msg_more : 0)
        while true {
            let count = Glibc.send(raw, bytes.baseAddress, bytes.count, flags)
            guard count < 0 else { return .bytes(count) }
            if errno == EINTR { continue }
            return errno == EAGAIN ? .wouldBlock : .failed
        }
    }

    /// Sets the size of the kernel's send buffer in bytes. The kernel doubles it for its own bookkeeping (socket(7)).
    static func setSendBuffer(_ raw: Int32, _ size: Int32) {
        var size = size
        _ = setsockopt(raw, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Closes the sending side of the connection.
    static func shutdownWrite(_ raw: Int32) {
        _ = shutdown(raw, lp_shut_wr)
    }

    static func localAddress(_ raw: Int32) -> SocketAddress? { SocketAddress(of: raw, getsockname) }
    static func peerAddress(_ raw: Int32) -> SocketAddress? { SocketAddress(of: raw, getpeername) }
}

/// The unique owner of an open file descriptor. Closes it.
struct FileDescriptor: ~Copyable, Sendable {
    let raw: Int32

    init(owning raw: Int32) { self.raw = raw }

    deinit { _ = close(raw) }
}

/// A failed system call with its errno.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    package let call: String
    package let errno: Int32

    package init(call: String, errno: Int32) {
        self.call = call
        self.errno = errno
    }

    /// The thread's current `errno`. Must be read before the next call overwrites it.
    init(last call: String) {
        self.init(call: call, errno: Glibc.errno)
    }

    package var description: String {
        "\(call): \(String(cString: strerror(errno)))"
    }
}

/// Returns `result`. Throws if it is -1, which means that the call failed.
@discardableResult
func check(_ call: String, _ result: Int32) throws(SystemError) -> Int32 {
    guard result != -1 else { throw SystemError(last: call) }
    return result
}
