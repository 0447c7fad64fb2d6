/// Why a request cannot be taken. The server answers it itself and closes the connection.
package struct RequestFailure: Error, Hashable, Sendable {
    package let status: Status
    /// The last part of the problem's type.
    package let code: String
    package let detail: String

    package init(_ status: Status, _ code: String, _ detail: String) {
        self.status = status
        self.code = code
        self.detail = detail
    }

    static func malformed(_ detail: String) -> RequestFailure {
        RequestFailure(.badRequest, "bad-request", detail)
    }

    package static let bodyTooLarge = RequestFailure(
        .contentTooLarge, "content-too-large", "The body is larger than this resource takes.")

    package static let timeout = RequestFailure(
        .requestTimeout, "request-timeout", "The request did not arrive in time.")

    package static let overloaded = RequestFailure(
        .serviceUnavailable, "overloaded", "Too many requests are waiting: try again in a second.")

    /// RFC 9457.
    package func response(id: String) -> Response {
        var fields = Fields()
        fields.append("Content-Type", "application/problem+json")
        fields.append("Cache-Control", "no-store")
        if status.code == 503 { fields.append("Retry-After", "1") }
        let body =
            "{\"type\":\"/problems/\(code)\",\"title\":\"\(status.reason)\",\"status\":\(status.code),"
            + "\"detail\":\"\(detail)\",\"instance\":\"\(id)\",\"violations\":[]}"
        return Response(status: status, fields: fields, body: Array(body.utf8))
    }
}
