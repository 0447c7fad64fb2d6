import HTTP
import Platform
import Synchronization

/// Opens streams and sends their events. Only the connections' loop may call it.
struct Streaming {
    /// The most unread bytes of a reader, in addition to its socket's buffer. Above it, the connection is closed.
    static let bufferLimit = 64 << 10
    /// The size of the kernel's buffer for a stream's socket. With the standard size, a stopped reader would be noticed only after
    /// megabytes.
    private static let socketBuffer: Int32 = 32 << 10
    /// The most bytes that are taken from memory at once. A stream that has missed more reads it in portions.
    private static let portionLimit = 32 << 10
    private static let comment = Array(":\n\n".utf8)

    private let limits: StreamLimits
    private let openers: WorkerPool
    private let mailbox: Mailbox
    private let heartbeat: UInt64
    private let lifetime: UInt64

    init(_ configuration: HTTPServer.Configuration, shared: SharedState, mailbox: Mailbox) {
        limits = shared.streams
        openers = shared.openers
        self.mailbox = mailbox
        heartbeat = configuration.streamHeartbeat.nanoseconds
        lifetime = configuration.streamLifetime.nanoseconds
    }

    enum Admission {
        case admitted(network: String?)
        case refused(RequestFailure)
    }

    func admit(_ sender: Sender) -> Admission {
        let network = limits.network(of: sender)
        return limits.acquire(network).map { .refused($0) } ?? .admitted(network: network)
    }

    /// Opens the stream of an admitted connection. The head of the response is already in the output.
    func open(_ stream: EventStream, of connection: Connection, isChunked: Bool, network: String?, over transport: inout Transport) {
        // Plus or minus 20 %, so that streams opened together do not end together.
        let lifetime = UInt64(Double(lifetime) * Double.random(in: 0.8...1.2))
        let open = OpenStream(
            stream, topics: transport.streams.topics(named: stream.topics), endsAt: transport.now &+ lifetime, isChunked: isChunked,
            network: network)
        transport.streams.insert(open, of: connection)
        Socket.setSendBuffer(connection.descriptor.raw, Self.socketBuffer)
        connection.phase = .streaming
        // The first comment comes early at a random time, so that the comments of streams opened together are spread out.
        transport.startTimeout(of: connection, for: .stream, within: UInt64.random(in: heartbeat / 2...heartbeat))
        // If the permission ended before this point, the stream was not found and must end now.
        guard stream.access?.farewell == nil else { return endForAccess(connection, over: &transport) }
        feed(stream, to: connection, over: &transport)
        if transport.isDraining { end(connection, .drain, over: &transport) }
    }

    /// Queues the first events or a portion. With the last portion, also the events that arrived meanwhile.
    func feed(_ stream: EventStream, to connection: Connection, over transport: inout Transport) {
        guard let open = connection.stream else { return }
        // If the numbers were restarted before this point, the stream was not found and must end now. It would never be complete.
        guard stream.recent.isCurrent else { return end(connection, .restart, over: &transport) }
        var bytes = stream.events
        open.position = stream.position
        open.more = stream.more
        open.isReading = false
        if stream.isComplete, let (events, position) = stream.recent.events(after: stream.position) {
            let missed = events.filter { open.hears($0.topic) }
            if missed.reduce(0, { $0 + $1.text.count }) <= Self.portionLimit {
                for event in missed { bytes += event.text }
                transport.streams.countEvents(missed.count)
                open.position = position
                open.more = nil
            }
        }
        transport.append(open.coded(bytes)[...], to: connection)
    }

    /// Reads the next portion after the previous portion was sent.
    func readOn(_ connection: Connection, over transport: inout Transport) {
        guard let open = connection.stream, let more = open.more, !open.isReading else { return }
        open.isReading = true
        let isSubmitted = openers.submit { [mailbox, token = connection.token] in
            mailbox.post(.portion(more(), connection: token))
        }
        if !isSubmitted { end(connection, .restart, over: &transport) }
    }

    /// Sends the comment that keeps the connection open, or ends a stream that has reached its lifetime.
    func beat(_ connection: Connection, over transport: inout Transport) {
        guard let open = connection.stream else { return transport.close(connection) }
        guard transport.now < open.endsAt else { return end(connection, .lifetime, over: &transport) }
        transport.startTimeout(of: connection, for: .stream)
        transport.send(open.coded(Self.comment)[...], to: connection)
    }

    /// Ends the stream and closes its connection once everything is sent.
    /// - Parameter farewell: sent last.
    func end(_ connection: Connection, _ reason: StreamEnd, farewell: String = "", over transport: inout Transport) {
        guard let open = connection.stream else { return }
        let bytes = open.coded(Array(farewell.utf8)) + (open.isChunked ? ChunkEncoder.end : [])
        transport.streams.remove(connection, reason)
        connection.phase = .closing
        transport.startTimeout(of: connection, for: .write)
        transport.append(bytes[...], to: connection)
    }

    /// Ends the stream because the server drains. Clients reconnect at random times within ten seconds. Readers that have not kept up are
    /// not waited for.
    func endForDrain(_ connection: Connection, over transport: inout Transport) {
        guard !connection.hasPending else { return transport.close(connection, .drain) }
        end(connection, .drain, farewell: "retry: \(Int.random(in: 0...10_000))\n\n", over: &transport)
    }

    /// Ends the stream if its permission has ended. A reader that has not kept up gets none of the remaining events.
    func endForAccess(_ connection: Connection, over transport: inout Transport) {
        guard let farewell = connection.stream?.access?.farewell else { return }
        guard !connection.hasPending else { return transport.close(connection, .access) }
        end(connection, .access, farewell: farewell, over: &transport)
    }
}

/// The number of open streams, with a limit for all clients together and for each address. All loops share it.
final class StreamLimits: Sendable {
    let limit: Int
    private let addresses: AddressCounts?
    private let open = Atomic<Int>(0)

    /// - Parameters:
    ///   - limit: for all clients together.
    ///   - limitPerAddress: 0 for no limit.
    init(limit: Int, limitPerAddress: Int) {
        self.limit = limit
        addresses = limitPerAddress > 0 ? AddressCounts(limit: limitPerAddress) : nil
    }

    var openStreams: Int { open.load(ordering: .relaxed) }

    /// The key to count streams per address; nil if they are not counted.
    func network(of sender: Sender) -> String? {
        addresses == nil ? nil : sender.network
    }

    /// Counts a new stream.
    /// - Returns: the failure if a limit is reached.
    func acquire(_ network: String?) -> RequestFailure? {
        guard open.add(1, ordering: .relaxed).newValue <= limit else {
            open.subtract(1, ordering: .relaxed)
            return .tooManyStreams
        }
        if let network, let addresses, !addresses.acquire(network) {
            open.subtract(1, ordering: .relaxed)
            return .tooManyStreamsOfAddress
        }
        return nil
    }

    /// Must be called once for each counted stream.
    func release(_ network: String?) {
        open.subtract(1, ordering: .relaxed)
        if let network { addresses?.release(network) }
    }
}
