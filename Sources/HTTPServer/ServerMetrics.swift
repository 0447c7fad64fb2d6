import HTTP

/// What the server counts. Called on event loops; everything here must be quick and must not block. What can be asked at
/// any time, `HTTPServer` tells itself.
package protocol ServerMetrics: Sendable {
    /// What one more event loop counts with. Where each counts for itself, none waits for another's cache lines.
    func ofLoop() -> any ServerMetrics
    func connectionOpened()
    func connectionClosed()
    func requestFinished(_ record: RequestRecord)
}

extension ServerMetrics {
    package func ofLoop() -> any ServerMetrics { self }
}

/// One answered or refused request.
package struct RequestRecord: Sendable {
    /// nil where no route was found or the request was refused before.
    package let route: String?
    /// nil where the request line could not be read.
    package let method: Method?
    package let status: Status
    /// From the loop's turn in which the head was complete to the encoded answer; the body's arrival and the wait for a worker
    /// are within.
    package let nanoseconds: UInt64
    /// nil where the answer came from memory, for which no id is made.
    package let id: String?
    /// What a refusal is about; nil where the request was not refused.
    package let refusal: Refusal?
}

/// Counts nothing.
package struct NoMetrics: ServerMetrics {
    package init() {}
    package func connectionOpened() {}
    package func connectionClosed() {}
    package func requestFinished(_ record: RequestRecord) {}
}
