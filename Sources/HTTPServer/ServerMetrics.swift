import HTTP

/// Receives the server's counts. Event loops call it, so it must not block. Gauges are properties of `HTTPServer`.
package protocol ServerMetrics: Sendable {
    /// The metrics of a new event loop. Separate counters avoid contention for cache lines.
    func ofLoop() -> any ServerMetrics
    func connectionOpened()
    func connectionClosed()
    func requestFinished(_ record: RequestRecord)
    /// Whether `requestFinished` needs the id of a cached answer. The id must then be converted to text.
    var needsCacheHitIDs: Bool { get }
    func streamEnded(_ end: StreamEnd)
    /// The number of sent events, counted once per stream.
    func eventsStreamed(_ count: Int)
}

extension ServerMetrics {
    package var needsCacheHitIDs: Bool { false }
    package func streamEnded(_ end: StreamEnd) {}
    package func eventsStreamed(_ count: Int) {}
    package func ofLoop() -> any ServerMetrics { self }
}

/// One answered or refused request.
package struct RequestRecord: Sendable {
    /// nil if no route was found, or the request was refused before routing.
    package let route: String?
    /// nil if the request line could not be parsed.
    package let method: Method?
    package let status: Status
    /// From the turn in which the head was complete to the encoded answer, including the arrival of the body and the wait for a worker.
    package let nanoseconds: UInt64
    /// As in `X-Request-ID`; nil if the answer came from the loop's cache and `needsCacheHitIDs` is false.
    package let id: String?
    /// See `Request.traceParent`.
    package var traceParent: String?
    /// Whether the answer came from the loop's cache.
    package let isFromCache: Bool
    /// nil if the request was not refused.
    package let refusal: Refusal?
}

/// Counts nothing.
package struct NoMetrics: ServerMetrics {
    package init() {}
    package func connectionOpened() {}
    package func connectionClosed() {}
    package func requestFinished(_ record: RequestRecord) {}
}
