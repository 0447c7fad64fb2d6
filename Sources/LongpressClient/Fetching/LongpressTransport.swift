public import Foundation

/// What the client asks. There is nothing secret in it.
public struct LongpressRequest: Sendable {
    /// `GET` or `POST`.
    public let method: String
    /// Absolute, with the query.
    public let url: URL
    /// `Accept-Language` and `If-None-Match` are to be sent as they are.
    public let headers: [String: String]
    /// JSON, of a `POST`.
    public let body: Data?
    /// How many bytes of an answer's body are wanted at most. A transport stops reading a longer one and throws
    /// `LongpressError.tooLarge`; the client looks at the length too.
    public let limit: Int

    /// A request as it is given, for tests of a transport.
    public init(method: String, url: URL, headers: [String: String], body: Data?, limit: Int) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.limit = limit
    }
}

/// What came.
public struct LongpressResponse: Sendable {
    /// The HTTP status, 304 included.
    public let status: Int
    /// Names in any case.
    public let headers: [String: String]
    /// Without content coding.
    public let body: Data

    /// What a transport has received.
    public init(status: Int, headers: [String: String], body: Data) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Carries requests to the service: `URLSessionTransport`, or the HTTP client that an app or a backend has already.
public protocol LongpressTransport: Sendable {
    /// Sends a request and reads the answer, whatever its status. It keeps nothing: the client does conditional requests itself.
    /// - Throws: `LongpressError.tooLarge`, `CancellationError`; everything else counts as unreachable.
    func send(_ request: LongpressRequest) async throws -> LongpressResponse
}
