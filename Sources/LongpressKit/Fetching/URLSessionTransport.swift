#if canImport(FoundationNetworking)
    internal import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Sends requests over one `URLSession`, without its cache, cookies and credentials. A request fails after 15 seconds without data.
///
/// A tap therefore uses the connection that fetched the menu, if it is still open.
public struct URLSessionTransport: LongpressTransport {
    private let session: URLSessionOwner
    private let headers: [String: String]

    /// Creates a transport.
    /// - Parameters:
    ///   - configuration: for example with a proxy; nil for an ephemeral one. The transport copies it and turns its cache, cookies and
    ///     credentials off.
    ///   - headers: sent with each request, for example for a backend that forwards to the service. They replace a header field that the
    ///     client sends under the same name.
    public init(configuration: URLSessionConfiguration? = nil, headers: [String: String] = [:]) {
        session = URLSessionOwner(.longpress(configuration))
        self.headers = headers
    }

    /// Sends a request and returns the response, whatever its status.
    /// - Throws: ``LongpressError/tooLarge``, `CancellationError` or `URLError`.
    public func send(_ request: LongpressRequest) async throws -> LongpressResponse {
        var urlRequest = URLRequest(request)
        for (name, value) in headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
        let (events, task) = session.start(urlRequest, limit: request.limit)
        // Also if this task is cancelled.
        defer { task.cancel() }
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

/// Invalidates the session with the last copy of the transport, because a session retains its delegate.
private final class URLSessionOwner: Sendable {
    private let session: URLSession
    private let reader = URLSessionReader()

    init(_ configuration: URLSessionConfiguration) {
        session = URLSession(configuration: configuration, delegate: reader, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    func start(_ request: URLRequest, limit: Int) -> (AsyncThrowingStream<URLSessionEvent, any Error>, URLSessionTask) {
        let (events, continuation) = AsyncThrowingStream.makeStream(of: URLSessionEvent.self)
        let task = session.dataTask(with: request)
        reader.read(task, limit: limit, into: continuation)
        task.resume()
        return (events, task)
    }
}

/// The session's delegate. On Linux, the delegate of a task does not get the data.
private final class URLSessionReader: NSObject, URLSessionDataDelegate {
    private struct Reading {
        let continuation: AsyncThrowingStream<URLSessionEvent, any Error>.Continuation
        let limit: Int
        var count = 0
    }

    private let lock = NSLock()
    /// By task identifier. Guarded by `lock`; iOS 16 has no `Mutex`.
    private nonisolated(unsafe) var readings: [Int: Reading] = [:]

    func read(_ task: URLSessionTask, limit: Int, into continuation: AsyncThrowingStream<URLSessionEvent, any Error>.Continuation) {
        lock.withLock { readings[task.taskIdentifier] = Reading(continuation: continuation, limit: limit) }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let reading = lock.withLock { readings[dataTask.taskIdentifier] }
        if let response = response as? HTTPURLResponse { reading?.continuation.yield(.head(response)) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let reading = lock.withLock {
            readings[dataTask.taskIdentifier]?.count += data.count
            return readings[dataTask.taskIdentifier]
        }
        guard let reading else { return }
        // `send` checks the length too, but may read from the stream late.
        guard reading.count <= reading.limit else {
            reading.continuation.finish(throwing: LongpressError.tooLarge)
            return dataTask.cancel()
        }
        reading.continuation.yield(.data(data))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let reading = lock.withLock { readings.removeValue(forKey: task.taskIdentifier) }
        reading?.continuation.finish(throwing: error)
    }
}

extension URLSessionConfiguration {
    fileprivate static func longpress(_ base: URLSessionConfiguration?) -> URLSessionConfiguration {
        let configuration = base.flatMap { $0.copy() as? URLSessionConfiguration } ?? .ephemeral
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
