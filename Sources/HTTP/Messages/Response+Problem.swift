import QuickActions

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
