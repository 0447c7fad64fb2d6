/// A kind of problem (RFC 9457 section 3.1.1), as `GET /problems/{code}` explains it.
package struct ProblemType: Hashable, Sendable {
    /// The last part of the type, such as `bad-request`.
    package let code: String
    package let status: Status
    /// The same for all problems of the type.
    package let title: String
    /// What has happened.
    package let meaning: String
    /// What the client can do.
    package let remedy: String

    package init(code: String, status: Status, title: String, meaning: String, remedy: String) {
        self.code = code
        self.status = status
        self.title = title
        self.meaning = meaning
        self.remedy = remedy
    }

    /// The reference that problems carry, relative to the service.
    package var reference: String { "/problems/\(code)" }
}

/// The types of the problems that the server itself answers, before any handler.
extension ProblemType {
    package static let ofServer = [
        badRequest, requestTimeout, contentTooLarge, targetTooLong, expectationFailed, misdirectedRequest, tooManyRequests,
        fieldsTooLarge, notImplemented,
        overloaded, versionNotSupported,
    ]

    package static let badRequest = ProblemType(
        code: "bad-request", status: .badRequest, title: "The request cannot be read",
        meaning: "The request breaks a rule of HTTP, or the value of a header field is not valid.",
        remedy: "The detail says what is wrong. Correct the request, and send it again.")

    package static let requestTimeout = ProblemType(
        code: "request-timeout", status: .requestTimeout, title: "The request took too long",
        meaning: "The request did not arrive completely in time, and the connection was closed.",
        remedy: "Send the request again without pausing.")

    package static let contentTooLarge = ProblemType(
        code: "content-too-large", status: .contentTooLarge, title: "The body is too large",
        meaning: "The body has more bytes, or more JSON values, than this operation reads.",
        remedy: "The detail names the limit. Send less, or split the request.")

    package static let targetTooLong = ProblemType(
        code: "target-too-long", status: .targetTooLong, title: "The request target is too long",
        meaning: "Path and query together are longer than the server reads.",
        remedy: "The detail names the limit. Shorten the query.")

    package static let expectationFailed = ProblemType(
        code: "expectation-failed", status: .expectationFailed, title: "The expectation cannot be met",
        meaning: "The value of the field Expect is not 100-continue.",
        remedy: "Leave the field Expect out.")

    package static let misdirectedRequest = ProblemType(
        code: "misdirected-request", status: .misdirectedRequest, title: "The host name is not allowed",
        meaning: "The request to the admin plane has a host name that the operator has not allowed. It may come from a page that attacks "
            + "the browser.",
        remedy: "Use the service's address. The operator can allow further host names with --allowed-hosts.")

    package static let tooManyRequests = ProblemType(
        code: "too-many-requests", status: .tooManyRequests, title: "Too many requests",
        meaning: "The address, client or token has reached its limit of connections, streams, sign-ins, writes, dry runs or counted "
            + "taps.",
        remedy: "Wait for the seconds in Retry-After. Use one connection for many requests. Repeat a batch of counted taps unchanged.")

    package static let fieldsTooLarge = ProblemType(
        code: "fields-too-large", status: .fieldsTooLarge, title: "The header fields are too large",
        meaning: "The request has more header fields, or longer header fields, than the server reads.",
        remedy: "The detail names the limit. Remove header fields, such as cookies of other services.")

    package static let notImplemented = ProblemType(
        code: "not-implemented", status: .notImplemented, title: "The method is unknown",
        meaning: "No operation of this service uses the request's method.",
        remedy: "Use a method that the OpenAPI document lists for the path.")

    package static let overloaded = ProblemType(
        code: "overloaded", status: .serviceUnavailable, title: "The server is overloaded",
        meaning: "The server is too busy for the request, or it is starting or stopping.",
        remedy: "Wait for the seconds in Retry-After. Then send the request again, to another node if possible.")

    package static let versionNotSupported = ProblemType(
        code: "http-version-not-supported", status: .versionNotSupported, title: "The HTTP version is not supported",
        meaning: "The request uses another major version of HTTP.",
        remedy: "Use HTTP/1.1.")
}
