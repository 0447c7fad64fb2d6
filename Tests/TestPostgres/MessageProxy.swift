import Foundation
import Synchronization

/// A proxy on loopback in front of a server's socket. It can stop after any message of PostgreSQL's protocol.
public final class MessageProxy: Sendable {
    public enum Direction: CaseIterable, Sendable { case toServer, toClient }

    public enum Stop: Sendable, Equatable {
        /// The proxy stops forwarding but closes nothing, also on new connections.
        case silently
        /// The connections are closed; new ones work.
        case closing
        /// The connections are reset; new ones work.
        case resetting
        /// Like `silently`, in the middle of the next message.
        case halfway
        /// The next message, and those behind it on its connection, come so much later.
        case late(Duration)
    }

    fileprivate struct State {
        var counts: [Direction: Int] = [:]
        var due: (direction: Direction, count: Int, stop: Stop)?
        var isStopped = false
        var isSilent = false
        /// The number of times that `recover` was called. It ends a delay.
        var recoveries = 0
        var pairs: [Pair] = []
    }

    /// What becomes of a message.
    fileprivate enum Passage {
        case sent, closed
        case late(Duration)
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
            state.recoveries += 1
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
            // Messages are sent one by one: Nagle's algorithm would hold each until the one before is acknowledged.
            var option: Int32 = 1
            setsockopt(client, Int32(IPPROTO_TCP), TCP_NODELAY, &option, socklen_t(MemoryLayout<Int32>.size))
            let server = connectToTarget()
            guard server >= 0 else {
                close(client)
                continue
            }
            let pair = Pair(client, server)
            state.withLock { $0.pairs.append(pair) }
            Thread.detachNewThread { [self] in forward(.toServer, from: client, to: server, pair) }
            Thread.detachNewThread { [self] in forward(.toClient, from: server, to: client, pair) }
        }
    }

    /// The sockets of a connection, closed when both of its threads have ended.
    fileprivate final class Pair: Sendable {
        let sockets: [Int32]
        let open = Mutex(2)
        let isReset = Mutex(false)

        init(_ client: Int32, _ server: Int32) { sockets = [client, server] }

        func close() {
            for socket in sockets { shutdown(socket, Int32(SHUT_RDWR)) }
        }

        /// A socket that does not linger is closed with a reset. Its threads are woken up first.
        func reset() {
            isReset.withLock { $0 = true }
            for socket in sockets {
                var option = linger(l_onoff: 1, l_linger: 0)
                setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
                shutdown(socket, Int32(SHUT_RD))
            }
        }
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
                guard pass(direction, Array(bytes[..<length]), to: sink) else { break reading }
                bytes.removeFirst(length)
                typeLength = 1
            }
        }
        // While the proxy is silent, a closed end is not reported to the other one.
        while state.withLock(\.isSilent) { usleep(2000) }
        if !pair.isReset.withLock(\.self) { pair.close() }
        let isLast = pair.open.withLock { open in
            open -= 1
            return open == 0
        }
        guard isLast else { return }
        state.withLock { $0.pairs.removeAll { $0 === pair } }
        for socket in pair.sockets { close(socket) }
    }

    /// - Returns: false if the connection is closed.
    private func pass(_ direction: Direction, _ message: [UInt8], to sink: Int32) -> Bool {
        switch state.withLock({ $0.pass(direction, message, to: sink) }) {
        case .sent: return true
        case .closed: return false
        case .late(let delay):
            let (end, recoveries) = (ContinuousClock.now + delay, state.withLock(\.recoveries))
            while .now < end, state.withLock(\.recoveries) == recoveries { usleep(2000) }
            return send(sink, message, message.count, Int32(MSG_NOSIGNAL)) == message.count
        }
    }
}

extension MessageProxy.State {
    /// Sends a message, or drops it.
    mutating func pass(_ direction: MessageProxy.Direction, _ message: [UInt8], to sink: Int32) -> MessageProxy.Passage {
        guard !isSilent else { return .sent }
        if let due, due.direction == direction, counts[direction, default: 0] == due.count, !isStopped {
            isStopped = true
            switch due.stop {
            case .halfway:
                isSilent = true
                _ = send(sink, message, message.count / 2, Int32(MSG_NOSIGNAL))
                return .sent
            case .late(let delay): return .late(delay)
            case .silently, .closing, .resetting: break
            }
        }
        guard send(sink, message, message.count, Int32(MSG_NOSIGNAL)) == message.count else { return .closed }
        counts[direction, default: 0] += 1
        stopIfDue()
        return .sent
    }

    mutating func stopIfDue() {
        guard let due, !isStopped, counts[due.direction, default: 0] == due.count else { return }
        switch due.stop {
        case .silently: isSilent = true
        case .closing: closeConnections()
        case .resetting: for pair in pairs { pair.reset() }
        // They stop at the next message.
        case .halfway, .late: return
        }
        (self.due, isStopped) = (nil, true)
    }

    func closeConnections() {
        for pair in pairs { pair.close() }
    }
}
