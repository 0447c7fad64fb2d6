import QuickActions

/// A complete response. The encoder writes `X-Request-ID`, `Date`, `Content-Length`, `Connection` and `X-Content-Type-Options`. It ignores
/// these and `Transfer-Encoding` in `fields`.
package struct Response: Sendable {
    package var status: Status
    package var fields: Fields
    package var body: [UInt8]
    /// Sent in place of `fields` and `body`, with this response's status.
    package private(set) var prepared: PreparedAnswer?
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

    package init(_ prepared: PreparedAnswer) {
        self.init(prepared.status)
        self.prepared = prepared
    }

    /// The size of the body in bytes.
    package var bodyCount: Int { prepared?.body.count ?? body.count }

    /// The same response with the fields and the body of its prepared answer, for callers in process.
    package var unpacked: Response {
        guard let prepared else { return self }
        var response = self
        response.prepared = nil
        (response.fields, response.body) = prepared.parts
        return response
    }
}

extension Response {
    /// Problem details (RFC 9457), which caches must not store.
    /// - Parameters:
    ///   - refusal: has the code and the detail, and is attached for the log.
    ///   - instance: the request's id.
    ///   - retryAfter: in seconds.
    package static func problem(
        _ type: ProblemType, refusal: Refusal, violations: [JSON] = [], instance: String, retryAfter: Int? = nil
    ) -> Response {
        let body: JSON = [
            "type": .string(type.reference), "title": .string(type.title), "status": .integer(Int64(type.status.code)),
            "detail": .string(refusal.detail), "instance": .string(instance), "violations": .array(violations),
        ]
        var fields: Fields = ["Content-Type": "application/problem+json", "Cache-Control": "no-store"]
        if let retryAfter { fields.append("Retry-After", String(retryAfter)) }
        var response = Response(type.status, fields: fields, body: body.encodedLine)
        response.refusal = refusal
        return response
    }

    /// The problem for a request that the server itself rejects. Closes the connection.
    /// - Parameters:
    ///   - instance: the request's id.
    ///   - retryAfter: in seconds; for 429 and 503.
    package static func refusing(
        _ failure: RequestFailure, instance: String, about subject: Refusal.Subject = Refusal.Subject(), retryAfter: Int = 1
    ) -> Response {
        let isTemporary = failure.status == .tooManyRequests || failure.status == .serviceUnavailable
        var response = problem(
            failure.type, refusal: Refusal(code: failure.code, detail: failure.detail, about: subject),
            instance: instance, retryAfter: isTemporary ? retryAfter : nil)
        response.closesConnection = true
        return response
    }
}
