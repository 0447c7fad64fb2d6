/// A complete response. The encoder writes `X-Request-ID`, `Date`, `Content-Length`, `Connection` and `X-Content-Type-Options`. It ignores
/// these and `Transfer-Encoding` in `fields`.
package struct Response: Sendable {
    package var status: Status
    package var fields: Fields
    package var body: [UInt8]
    /// Whether the connection is closed after this response.
    package var closesConnection: Bool
    /// The events that follow the head while the connection is open; nil for a response that ends.
    package var stream: EventStream?
    /// Retained until the body was sent or the connection was closed, such as a reservation of memory for the body.
    package var reservation: (any AnyObject & Sendable)?
    /// Set by a handler that must wait without blocking a thread. The rest of such a response is ignored. It is called with a function that
    /// takes the rest of the handler and runs it on a thread of the route's pool.
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
