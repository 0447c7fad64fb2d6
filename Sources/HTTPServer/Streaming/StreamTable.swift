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
