public import Foundation

/// A request of the client to the service. It carries no credentials.
public struct LongpressRequest: Sendable {
    /// `GET` or `POST`.
    public let method: String
    /// The absolute URL, including the query.
    public let url: URL
    /// The header fields. Send them unchanged, in particular `Accept-Language` and `If-None-Match`.
    public let headers: [String: String]
    /// The JSON body of a `POST`; nil for a `GET`.
    public let body: Data?
    /// The maximum length of the response body, in bytes. A transport stops reading a longer body and throws ``LongpressError/tooLarge``.
    /// The client also checks the length.
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
    /// The HTTP status code. Pass 304 on like any other status.
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

/// Sends requests to the service. ``URLSessionTransport`` is the default. An app or a backend can wrap its own HTTP client.
public protocol LongpressTransport: Sendable {
    /// Sends a request and returns the response, whatever its status.
    ///
    /// A transport must not cache, because the client makes conditional requests.
    /// - Throws: ``LongpressError/tooLarge`` or `CancellationError`; any other error is reported as ``LongpressError/unreachable(_:)``.
    func send(_ request: LongpressRequest) async throws -> LongpressResponse
}
