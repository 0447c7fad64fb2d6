/// A complete response. The encoder writes `X-Request-ID`, `Date`, `Content-Length`, `Connection` and `X-Content-Type-Options`, and
/// ignores these and `Transfer-Encoding` in `fields`.
package struct Response: Sendable {
    package var status: Status
    package var fields: Fields
    package var body: [UInt8]
    /// Whether the connection is closed after this response.
    package var closesConnection: Bool
    /// The events that follow the head for as long as the connection is open; nil for a response that has an end.
    package var stream: EventStream?
    /// Kept until the body was sent or the connection was closed, such as what the body has of a budget of memory.
    package var reservation: (any AnyObject & Sendable)?
    /// Set by a handler that must wait before it answers, which no thread should do; nothing else of such a response counts. It is called with
    /// a function that takes the rest of the handler and runs it on a thread of the route's pool.
    package var delayed: (@Sendable (_ resume: @escaping @Sendable (@escaping @Sendable () -> Response) -> Void) -> Void)?
    /// For the log and the metrics, if the response is a problem.
    package var refusal: Refusal?

    package init(_ status: Status, fields: Fields = [:], body: [UInt8] = [], closesConnection: Bool = false) {
        self.status = status
        self.fields = fields
        self.body = body
        self.closesConnection = closesConnection
    }
}
