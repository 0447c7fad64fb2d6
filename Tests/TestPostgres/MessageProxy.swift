import Foundation
import Synchronization

/// A proxy on loopback in front of a server's socket. It can stop after any message of PostgreSQL's protocol.
public final class MessageProxy: Sendable {
    public enum Direction: CaseIterable, Sendable { case toServer, toClient }

    public enum Stop: CaseIterable, Sendable {
        /// The proxy stops forwarding but closes nothing, also on new connections.
        case silently
        /// The connections are closed; new ones work.
        case closing
    }

    fileprivate struct State {
        var counts: [Direction: Int] = [:]
        var due: (direction: Direction, count: Int, stop: Stop)?
        var isStopped = false
        var isSilent = false
        var sockets: [Int32] = []
    }

    private let target: String
    private let listener: Int32
    public let port: UInt16
    private let state = Mutex(State())

    /// - Parameter target: the path of the server's socket.
    public init(before target: String) throws {
        self.target = target
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = self.listener
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isListening else { throw PostgresServer.Problem(description: "The proxy cannot listen: \(errno)") }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in accept() }
    }

    /// Counts messages from now on, and stops after `count` messages in this direction.
    /// - Parameter count: nil counts only.
    public func arm(_ direction: Direction, _ stop: Stop, behind count: Int?) {
        state.withLock { state in
            (state.counts, state.isStopped) = ([:], false)
            state.due = count.map { (direction, $0, stop) }
            state.stopIfDue()
        }
    }

    public var isStopped: Bool { state.withLock(\.isStopped) }

    /// The number of messages that were forwarded since `arm`.
    public func count(_ direction: Direction) -> Int { state.withLock { $0.counts[direction, default: 0] } }

    /// Closes all connections; new ones work.
    public func recover() {
        state.withLock { state in
            (state.due, state.isStopped, state.isSilent) = (nil, false, false)
            state.closeConnections()
        }
    }

    public func end() {
        recover()
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private func accept() {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else { return }
            let server = connectToTarget()
            guard server >= 0 else {
                close(client)
                continue
            }
            state.withLock { $0.sockets += [client, server] }
            let pair = Pair()
            Thread.detachNewThread { [self] in forward(.toServer, from: client, to: server, pair) }
            Thread.detachNewThread { [self] in forward(.toClient, from: server, to: client, pair) }
        }
    }

    /// The sockets of a connection, closed when both of its threads have ended.
    private final class Pair: Sendable {
        let open = Mutex(2)
    }

    private func connectToTarget() -> Int32 {
        let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: target.utf8.prefix($0.count - 1)) }
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(server, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isConnected else {
            close(server)
            return -1
        }
        return server
    }

    private func forward(_ direction: Direction, from source: Int32, to sink: Int32, _ pair: Pair) {
        var (bytes, chunk): ([UInt8], [UInt8]) = ([], Array(repeating: 0, count: 65_536))
        // A client's first message has no type: 32 bits of length, then its kind.
        var typeLength = direction == .toServer ? 0 : 1
        reading: while true {
            let count = read(source, &chunk, chunk.count)
            guard count > 0 else { break }
            bytes += chunk.prefix(count)
            while bytes.count >= typeLength + 4 {
                let length = bytes[typeLength..<typeLength + 4].reduce(0) { $0 << 8 | Int($1) } + typeLength
                guard bytes.count >= length else { break }
                guard state.withLock({ $0.passes(direction, Array(bytes[..<length]), to: sink) }) else { break reading }
                bytes.removeFirst(length)
                typeLength = 1
            }
        }
        // While the proxy is silent, a closed end is not reported to the other one.
        while state.withLock(\.isSilent) { usleep(2000) }
        for socket in [source, sink] { shutdown(socket, Int32(SHUT_RDWR)) }
        let isLast = pair.open.withLock { open in
            open -= 1
            return open == 0
        }
        guard isLast else { return }
        state.withLock { $0.sockets.removeAll { [source, sink].contains($0) } }
        for socket in [source, sink] { close(socket) }
    }
}

extension MessageProxy.State {
    /// Sends a message, or drops it.
    /// - Returns: false if the connection is closed.
    mutating func passes(_ direction: MessageProxy.Direction, _ message: [UInt8], to sink: Int32) -> Bool {
        guard !isSilent else { return true }
        guard send(sink, message, message.count, Int32(MSG_NOSIGNAL)) == message.count else { return false }
        counts[direction, default: 0] += 1
        stopIfDue()
        return true
    }

    mutating func stopIfDue() {
        guard let due, counts[due.direction, default: 0] == due.count else { return }
        (self.due, isStopped) = (nil, true)
        switch due.stop {
        case .silently: isSilent = true
        case .closing: closeConnections()
        }
    }

    func closeConnections() {
        for socket in sockets { shutdown(socket, Int32(SHUT_RDWR)) }
    }
}
