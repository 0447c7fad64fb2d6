import HTTP

/// The open streams of one loop by topic.
struct StreamTable: ~Copyable {
    private let limits: StreamLimits
    private let metrics: any ServerMetrics
    private var topics: [String: OpenStream.Topic] = [:]
    /// The descriptors of connections whose streams require a permission.
    private(set) var guarded: Set<Int32> = []

    init(limits: StreamLimits, metrics: any ServerMetrics) {
        self.limits = limits
        self.metrics = metrics
    }

    /// The topics with these names, each once.
    mutating func topics(named names: [String]) -> [OpenStream.Topic] {
        names.map { name in
            if let topic = topics[name] { return topic }
            let topic = OpenStream.Topic(name)
            topics[name] = topic
            return topic
        }
    }

    /// The descriptors of the connections that follow a topic.
    func slots(of topic: String) -> [Int32] { topics[topic].map { Array($0.slots) } ?? [] }

    mutating func insert(_ stream: OpenStream, of connection: Connection) {
        connection.stream = stream
        for topic in stream.topics { topic.slots.insert(connection.descriptor.raw) }
        if stream.access != nil { guarded.insert(connection.descriptor.raw) }
    }

    /// Ends the connection's stream, if it has one.
    mutating func remove(_ connection: Connection, _ end: StreamEnd) {
        guard let stream = connection.stream else { return }
        connection.stream = nil
        guarded.remove(connection.descriptor.raw)
        for topic in stream.topics {
            topic.slots.remove(connection.descriptor.raw)
            if topic.slots.isEmpty { topics[topic.name] = nil }
        }
        limits.release(stream.network)
        metrics.streamEnded(end)
    }

    func countEvents(_ count: Int) { metrics.eventsStreamed(count) }
}

/// Why a stream ended.
package enum StreamEnd: String, Sendable, CaseIterable {
    /// The client closed the connection, or it failed.
    case client
    /// The client did not read fast enough.
    case slow
    /// The stream reached its lifetime.
    case lifetime
    /// The server drains.
    case drain
    /// The missed events are not available on this connection. The client reconnects for them.
    case restart
    /// The permission to read it has ended.
    case access
}

/// The stream of one connection. Only its event loop reads or changes it.
final class OpenStream {
    /// The connections of a loop that follow a topic. Their streams share it and its name.
    final class Topic {
        let name: String
        /// Descriptors.
        var slots: Set<Int32> = []

        init(_ name: String) { self.name = name }
    }

    let topics: [Topic]
    /// The number of the last event that was sent or queued.
    var position: Int64
    /// Reads the part after `position`; nil once the stream receives new events directly.
    var more: (@Sendable () -> EventStream?)?
    /// Whether an opener thread runs `more`.
    var isReading = false
    /// The end of the stream's lifetime, by `Clock.monotonic`.
    let endsAt: UInt64
    /// Whether the body is chunked. Otherwise it ends with the connection (HTTP/1.0).
    let isChunked: Bool
    /// The key in `StreamLimits`.
    let network: String?
    /// The permission to read it; nil if anybody may read it.
    let access: (any StreamAccess)?
    private let interest: AnyObject & Sendable

    init(_ stream: EventStream, topics: [Topic], endsAt: UInt64, isChunked: Bool, network: String?) {
        self.topics = topics
        position = stream.position
        more = stream.more
        self.endsAt = endsAt
        self.isChunked = isChunked
        self.network = network
        access = stream.access
        interest = stream.interest
    }

    func hears(_ topic: String) -> Bool { topics.contains { $0.name == topic } }

    /// The bytes in the body's coding.
    func coded(_ bytes: [UInt8]) -> [UInt8] { isChunked ? ChunkEncoder.chunk(bytes) : bytes }
}
