internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Sends requests over `URLSession`, without its cache, cookies and credentials. A request fails after 15 seconds without data.
public struct URLSessionTransport: LongpressTransport {
    /// Creates a transport. Each request has its own session, so there is nothing to configure or to close.
    public init() {}

    /// Sends a request and returns the response, whatever its status.
    /// - Throws: ``LongpressError/tooLarge``, `CancellationError` or `URLError`.
    public func send(_ request: LongpressRequest) async throws -> LongpressResponse {
        let (events, continuation) = AsyncThrowingStream.makeStream(of: URLSessionEvent.self)
        // On Linux, the delegate of a task does not get the data, so each request has its own session and delegate.
        let reader = URLSessionReader(continuation, limit: request.limit)
        let session = URLSession(configuration: .longpress, delegate: reader, delegateQueue: nil)
        defer { session.invalidateAndCancel() }
        session.dataTask(with: URLRequest(request)).resume()
        var head: HTTPURLResponse?
        var body = Data()
        for try await event in events {
            switch event {
            case .head(let response):
                guard response.expectedContentLength <= Int64(request.limit) else { throw LongpressError.tooLarge }
                head = response
            case .data(let data):
                guard body.count + data.count <= request.limit else { throw LongpressError.tooLarge }
                body += data
            }
        }
        try Task.checkCancellation()
        guard let head else { throw URLError(.badServerResponse) }
        var headers: [String: String] = [:]
        for (name, value) in head.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers[name] = value }
        }
        return LongpressResponse(status: head.statusCode, headers: headers, body: body)
    }
}

private enum URLSessionEvent: Sendable {
    case head(HTTPURLResponse)
    case data(Data)
}

private final class URLSessionReader: NSObject, URLSessionDataDelegate {
    private let continuation: AsyncThrowingStream<URLSessionEvent, any Error>.Continuation
    private let limit: Int

    init(_ continuation: AsyncThrowingStream<URLSessionEvent, any Error>.Continuation, limit: Int) {
        self.continuation = continuation
        self.limit = limit
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse { continuation.yield(.head(response)) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        continuation.yield(.data(data))
        // `send` checks the length too, but may read from the stream late. (On Linux `countOfBytesReceived` stays 0 here.)
        if dataTask.countOfBytesReceived > Int64(limit) {
            continuation.finish(throwing: LongpressError.tooLarge)
            dataTask.cancel()
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        continuation.finish(throwing: error)
    }
}

extension URLSessionConfiguration {
    fileprivate static var longpress: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.timeoutIntervalForRequest = 15
        return configuration
    }
}

extension URLRequest {
    fileprivate init(_ request: LongpressRequest) {
        self.init(url: request.url)
        httpMethod = request.method
        for (name, value) in request.headers { setValue(value, forHTTPHeaderField: name) }
        httpBody = request.body
    }
}
