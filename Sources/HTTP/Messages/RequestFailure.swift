import QuickActions

/// A request that the server rejects before a handler sees it.
package struct RequestFailure: Error, Equatable, Sendable {
    package let type: ProblemType
    /// A sentence for the client that says what to do.
    package let detail: String

    package init(_ type: ProblemType, _ detail: String) {
        self.type = type
        self.detail = detail
    }

    package var status: Status { type.status }
    package var code: String { type.code }
}

extension RequestFailure {
    package static func badRequest(_ detail: String) -> RequestFailure {
        RequestFailure(.badRequest, detail)
    }

    package static func notImplemented(_ detail: String) -> RequestFailure {
        RequestFailure(.notImplemented, detail)
    }

    /// `limit` in bytes.
    package static func contentTooLarge(limit: Int) -> RequestFailure {
        RequestFailure(.contentTooLarge, "The body is too large. Send at most \(limit) bytes.")
    }

    /// `limit` in bytes.
    package static func targetTooLong(limit: Int) -> RequestFailure {
        RequestFailure(.targetTooLong, "The request target is too long. Use at most \(limit) bytes.")
    }

    package static func fieldsTooLarge(_ limits: RequestLimits) -> RequestFailure {
        RequestFailure(
            .fieldsTooLarge,
            "The header fields are too large. Send at most \(limits.fieldCount) fields in \(limits.fieldBytes) bytes.")
    }

    package static let expectationFailed = RequestFailure(
        .expectationFailed, "The field Expect may only be 100-continue.")

    package static func misdirected(host: String) -> RequestFailure {
        RequestFailure(
            .misdirectedRequest,
            "\(quoted(host)) is not an allowed host name. Use the service's address, or add the name to --allowed-hosts "
                + "(LONGPRESS_ALLOWED_HOSTS)."
        )
    }

    package static let versionNotSupported = RequestFailure(
        .versionNotSupported, "Use HTTP/1.1.")

    package static let timeout = RequestFailure(
        .requestTimeout, "The request did not arrive in time. Send it again without pausing.")

    package static let tooManyConnections = RequestFailure(
        .tooManyRequests,
        "This address has reached its limit of connections. Reuse a connection, or try again after the time in Retry-After.")

    package static let tooManyStreams = RequestFailure(
        .overloaded,
        "The server has reached its limit of streams. Use another node, or try again after the time in Retry-After.")

    package static let tooManyStreamsOfAddress = RequestFailure(
        .tooManyRequests,
        "This address has reached its limit of streams. Follow all apps in one stream, or close another stream.")

    package static let overloaded = RequestFailure(
        .overloaded, "Too many requests are waiting. Try again after the time in Retry-After.")
}
