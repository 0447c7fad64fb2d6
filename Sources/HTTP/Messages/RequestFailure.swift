/// Why the server refuses a request that it cannot hand to a handler.
package struct RequestFailure: Error, Equatable, Sendable {
    package let status: Status
    /// The last part of the problem type, such as `bad-request`.
    package let code: String
    /// A sentence for the client that says what to do.
    package let detail: String

    package init(_ status: Status, code: String, detail: String) {
        self.status = status
        self.code = code
        self.detail = detail
    }
}

extension RequestFailure {
    package static func badRequest(_ detail: String) -> RequestFailure {
        RequestFailure(.badRequest, code: "bad-request", detail: detail)
    }

    package static func notImplemented(_ detail: String) -> RequestFailure {
        RequestFailure(.notImplemented, code: "not-implemented", detail: detail)
    }

    /// `limit` in bytes.
    package static func contentTooLarge(limit: Int) -> RequestFailure {
        RequestFailure(.contentTooLarge, code: "content-too-large", detail: "The body is too large. Send at most \(limit) bytes.")
    }

    /// `limit` in bytes.
    package static func targetTooLong(limit: Int) -> RequestFailure {
        RequestFailure(
            .targetTooLong, code: "target-too-long", detail: "The request target is too long. Use at most \(limit) bytes.")
    }

    package static func fieldsTooLarge(_ limits: RequestLimits) -> RequestFailure {
        RequestFailure(
            .fieldsTooLarge, code: "fields-too-large",
            detail: "The header fields are too large. Send at most \(limits.fieldCount) fields in \(limits.fieldBytes) bytes.")
    }

    package static let expectationFailed = RequestFailure(
        .expectationFailed, code: "expectation-failed", detail: "The only expectation that can be met is 100-continue.")

    package static let versionNotSupported = RequestFailure(
        .versionNotSupported, code: "http-version-not-supported", detail: "Use HTTP/1.1.")

    package static let timeout = RequestFailure(
        .requestTimeout, code: "request-timeout", detail: "The request did not arrive in time. Send it again without pausing.")

    package static let tooManyConnections = RequestFailure(
        .tooManyRequests, code: "too-many-requests",
        detail: "This address has as many connections as it may have. Keep one and use it again, or try after the time in Retry-After.")

    package static let tooManyStreams = RequestFailure(
        .serviceUnavailable, code: "overloaded",
        detail: "As many streams are open as may be. Try another node, or again after the time in Retry-After.")

    package static let tooManyStreamsOfAddress = RequestFailure(
        .tooManyRequests, code: "too-many-requests",
        detail: "This address has as many streams as it may have. Name all apps in one stream, or close another one.")

    package static let overloaded = RequestFailure(
        .serviceUnavailable, code: "overloaded", detail: "Too many requests are waiting. Try again after the time in Retry-After.")
}
