public import Foundation

/// A request of the client to the service. It carries no credentials.
public struct LongpressRequest: Sendable {
    /// `GET` or `POST`.
    public let method: String
    /// The absolute URL, including the query.
    public let url: URL
    /// The header fields. Send them as they are, in particular `Accept-Language` and `If-None-Match`.
    public let headers: [String: String]
    /// The JSON body of a `POST`; nil for a `GET`.
    public let body: Data?
    /// The longest response body that is accepted, in bytes. A transport stops reading a longer one and throws
    /// ``LongpressError/tooLarge``; the client checks the length as well.
    public let limit: Int

    /// Creates a request, for example to test a transport.
    public init(method: String, url: URL, headers: [String: String], body: Data?, limit: Int) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.limit = limit
    }
}

/// The service's response to a ``LongpressRequest``.
public struct LongpressResponse: Sendable {
    /// The HTTP status code. 304 is passed on like any other.
    public let status: Int
    /// The header fields; the case of their names does not matter.
    public let headers: [String: String]
    /// The body, with any content coding (gzip) removed.
    public let body: Data

    /// Creates a response.
    public init(status: Int, headers: [String: String], body: Data) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Sends requests to the service. ``URLSessionTransport`` is the default; an app or a backend can wrap the HTTP client it already has.
public protocol LongpressTransport: Sendable {
    /// Sends a request and returns the response, whatever its status.
    ///
    /// A transport must not cache: the client makes conditional requests itself.
    /// - Throws: ``LongpressError/tooLarge`` or `CancellationError`; any other error is reported as ``LongpressError/unreachable(_:)``.
    func send(_ request: LongpressRequest) async throws -> LongpressResponse
}
