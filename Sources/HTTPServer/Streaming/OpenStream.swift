import HTTP

/// Why a stream ended.
package enum StreamEnd: String, Sendable, CaseIterable {
    /// The client closed the connection, or it failed.
    case client
    /// The client did not read what it was sent.
    case slow
    /// The stream's time was over.
    case lifetime
    /// The server drains.
    case drain
    /// What the client has missed cannot be told on this connection; it comes back for it.
    case restart
    /// Its reader may not read it any more.
    case access
}

/// The stream of one connection. Only its event loop reads or changes it.
final class OpenStream {
    /// The connections of a loop that hear of a topic. Streams share it, and with it the topic's name.
    final class Topic {
        let name: String
        /// Descriptors.
        var slots: Set<Int32> = []

        init(_ name: String) { self.name = name }
    }

    let topics: [Topic]
    /// The number of the last event that was sent or queued.
    var position: Int64
    /// Reads what follows `position`; nil once the stream receives events as they come.
    var more: (@Sendable () -> EventStream?)?
    /// Whether an opener runs `more`.
    var isReading = false
    /// When it ends by itself, by `Clock.monotonic`.
    let endsAt: UInt64
    /// Whether the body is in the chunked coding; otherwise it ends with the connection (HTTP/1.0).
    let isChunked: Bool
    /// The key in `StreamLimits`.
    let network: String?
    /// What lets its reader read it; nil where anybody may.
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
