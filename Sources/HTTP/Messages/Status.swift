/// A status code with its reason phrase (RFC 9110 15). Equality compares the codes.
package struct Status: Hashable, Sendable, CustomStringConvertible {
    package let code: Int
    package let reason: String

    package init(_ code: Int, reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The status with its registered phrase. An unregistered code has no phrase.
    package init(_ code: Int) {
        self.init(code, reason: Self.phrases[code] ?? "")
    }

    package static func == (left: Status, right: Status) -> Bool { left.code == right.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
    package var description: String { reason.isEmpty ? "\(code)" : "\(code) \(reason)" }

    /// Whether a response with this status never has a body (RFC 9110 6.4.1).
    package var isBodiless: Bool { code == 204 || code == 304 || code < 200 }
}

extension Status {
    package static let ok = Status(200, reason: "OK")
    package static let created = Status(201, reason: "Created")
    package static let accepted = Status(202, reason: "Accepted")
    package static let noContent = Status(204, reason: "No Content")
    package static let notModified = Status(304, reason: "Not Modified")
    package static let found = Status(302, reason: "Found")
    package static let permanentRedirect = Status(308, reason: "Permanent Redirect")
    package static let badRequest = Status(400, reason: "Bad Request")
    package static let unauthorized = Status(401, reason: "Unauthorized")
    package static let forbidden = Status(403, reason: "Forbidden")
    package static let notFound = Status(404, reason: "Not Found")
    package static let methodNotAllowed = Status(405, reason: "Method Not Allowed")
    package static let notAcceptable = Status(406, reason: "Not Acceptable")
    package static let requestTimeout = Status(408, reason: "Request Timeout")
    package static let conflict = Status(409, reason: "Conflict")
    package static let preconditionFailed = Status(412, reason: "Precondition Failed")
    package static let contentTooLarge = Status(413, reason: "Content Too Large")
    package static let targetTooLong = Status(414, reason: "URI Too Long")
    package static let unsupportedMediaType = Status(415, reason: "Unsupported Media Type")
    package static let expectationFailed = Status(417, reason: "Expectation Failed")
    package static let misdirectedRequest = Status(421, reason: "Misdirected Request")
    package static let unprocessableContent = Status(422, reason: "Unprocessable Content")
    package static let preconditionRequired = Status(428, reason: "Precondition Required")
    package static let tooManyRequests = Status(429, reason: "Too Many Requests")
    package static let fieldsTooLarge = Status(431, reason: "Request Header Fields Too Large")
    package static let internalServerError = Status(500, reason: "Internal Server Error")
    package static let notImplemented = Status(501, reason: "Not Implemented")
    package static let serviceUnavailable = Status(503, reason: "Service Unavailable")
    package static let versionNotSupported = Status(505, reason: "HTTP Version Not Supported")

    private static let phrases: [Int: String] = {
        let known = [
            ok, created, accepted, noContent, found, notModified, badRequest, unauthorized, forbidden, notFound, methodNotAllowed,
            notAcceptable, requestTimeout, conflict, preconditionFailed, contentTooLarge, targetTooLong, unsupportedMediaType,
            expectationFailed, misdirectedRequest, unprocessableContent, preconditionRequired, tooManyRequests, fieldsTooLarge,
            internalServerError,
            notImplemented,
            serviceUnavailable, versionNotSupported,
            Status(301, reason: "Moved Permanently"), Status(303, reason: "See Other"),
            Status(307, reason: "Temporary Redirect"), permanentRedirect, Status(410, reason: "Gone"),
            Status(502, reason: "Bad Gateway"), Status(504, reason: "Gateway Timeout"),
        ]
        return Dictionary(known.map { ($0.code, $0.reason) }, uniquingKeysWith: { first, _ in first })
    }()
}
