import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif
#if canImport(Security)
    import Security
#endif

/// Sends requests over `URLSession`, without its cache, cookies and credentials. Linux builds use `RemoteCurl` instead; a test compiles and
/// runs this transport there.
package struct SessionTransport: Transport {
    private let session: Session

    #if canImport(Security)
        /// - Parameter file: certificates (PEM) of authorities that are trusted beside the system's; nil for none.
        package init(trusting file: String?) throws(RemoteFailure) {
            let authorities =
                try file.map { file throws(RemoteFailure) in
                    try PEM.certificates(in: LocalFile.read(file, atMost: 16 << 20), named: file)
                } ?? []
            session = Session(authorities: authorities)
        }
    #else
        package init() {
            session = Session(authorities: [])
        }
    #endif

    package func send(_ request: RemoteRequest, receive: (ResponsePart) throws(RemoteFailure) -> Void) throws(RemoteFailure) {
        let (task, parts) = session.begin(request)
        defer { session.end(task) }
        while true {
            let received = try parts.next(of: request.url)
            if received.isEmpty { return }
            for part in received { try receive(part) }
        }
    }
}

/// Owns the `URLSession` of a transport, which reuses its connections.
private final class Session: Sendable {
    private let session: URLSession
    private let delegate: SessionDelegate

    /// - Parameter authorities: DER certificates that are trusted beside the system's. Only on Apple's systems: elsewhere `URLSession` does
    ///   not accept any.
    init(authorities: [Data]) {
        delegate = SessionDelegate(authorities: authorities)
        session = URLSession(configuration: .remote, delegate: delegate, delegateQueue: nil)
    }

    deinit {
        // The session retains its delegate until it is invalidated.
        session.invalidateAndCancel()
    }

    func begin(_ request: RemoteRequest) -> (URLSessionTask, PartQueue) {
        var sent = URLRequest(url: request.url)
        sent.httpMethod = request.method
        sent.timeoutInterval = TimeInterval(request.timeout)
        for field in request.fields { sent.setValue(field.value, forHTTPHeaderField: field.name) }
        sent.httpBody = request.body.map { Data($0) }
        let task = session.dataTask(with: sent)
        let parts = PartQueue(limit: request.limit)
        delegate.expect(parts, of: task)
        task.resume()
        return (task, parts)
    }

    func end(_ task: URLSessionTask) {
        task.cancel()
        delegate.forget(task)
    }
}

/// The parts of an answer, passed from the session's thread to the waiting one. `condition` guards the state.
private final class PartQueue: @unchecked Sendable {
    private let condition = NSCondition()
    /// The limit of the body, in bytes.
    private let limit: Int
    private var parts: [ResponsePart] = []
    /// The body's bytes so far.
    private var count = 0
    private var end: Result<Void, any Error>?

    init(limit: Int) {
        self.limit = limit
    }

    func add(_ part: ResponsePart) {
        condition.withLock {
            parts.append(part)
            condition.signal()
        }
    }

    /// - Returns: false if the body exceeds the limit, which ends the answer.
    func add(_ bytes: [UInt8]) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        count += bytes.count
        guard count <= limit else {
            if end == nil { end = .failure(RemoteFailure.tooLarge(limit)) }
            condition.signal()
            return false
        }
        parts.append(.body(bytes))
        condition.signal()
        return true
    }

    func finish(_ end: Result<Void, any Error>) {
        condition.withLock {
            if self.end == nil { self.end = end }
            condition.signal()
        }
    }

    /// Waits for the next parts; empty at the end of the answer.
    func next(of url: URL) throws(RemoteFailure) -> [ResponsePart] {
        condition.lock()
        defer { condition.unlock() }
        while parts.isEmpty, end == nil { condition.wait() }
        guard parts.isEmpty else {
            defer { parts = [] }
            return parts
        }
        guard case .failure(let error)? = end else { return [] }
        if let error = error as? RemoteFailure { throw error }
        throw RemoteFailure.unreachable(url, reason(of: error, isSecure: url.scheme == "https"))
    }

    private func reason(of error: any Error, isSecure: Bool) -> String {
        guard let error = error as? URLError else { return error.localizedDescription }
        switch error.code {
        case .cannotFindHost, .dnsLookupFailed: return "the host name is unknown"
        case .cannotConnectToHost: return "nothing listens at this address"
        case .timedOut: return "no answer came in time"
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateNotYetValid,
            .serverCertificateHasUnknownRoot:
            return "its certificate is not trusted. Pass its authority with --ca FILE"
        default:
            // On Linux, this is libcurl's text: `SSL certificate problem: unable to get local issuer certificate`.
            return error.localizedDescription + (isSecure ? ". Pass its authority with --ca FILE" : "")
        }
    }
}

/// Passes each task's parts to the caller that waits for them. `lock` guards the queues. Parts of a forgotten task are dropped.
private final class SessionDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let authorities: [Data]
    private let lock = NSLock()
    private var queues: [Int: PartQueue] = [:]

    init(authorities: [Data]) {
        self.authorities = authorities
    }

    func expect(_ parts: PartQueue, of task: URLSessionTask) {
        lock.withLock { queues[task.taskIdentifier] = parts }
    }

    func forget(_ task: URLSessionTask) {
        lock.withLock { queues[task.taskIdentifier] = nil }
    }

    private func parts(of task: URLSessionTask) -> PartQueue? {
        lock.withLock { queues[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse {
            parts(of: dataTask)?.add(.head(ResponseHead(response)))
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        if parts(of: dataTask)?.add(data.withUnsafeBytes { Array($0) }) == false { dataTask.cancel() }
    }

    /// A service requires a token and never a password, so a request for a password becomes the answer. (If this is not handled,
    /// `URLSession` on Linux waits forever and does not deliver the answer.)
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let parts = parts(of: task)
        parts?.add(.head(ResponseHead(challenge.failureResponse as? HTTPURLResponse)))
        parts?.finish(.success(()))
        completionHandler(.cancelAuthenticationChallenge, nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        parts(of: task)?.finish(error.map { .failure($0) } ?? .success(()))
    }

    #if canImport(Security)
        func urlSession(
            _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            guard !authorities.isEmpty, let trust = challenge.protectionSpace.serverTrust else {
                return completionHandler(.performDefaultHandling, nil)
            }
            SecTrustSetAnchorCertificates(trust, authorities.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) } as CFArray)
            // The system's authorities stay trusted.
            SecTrustSetAnchorCertificatesOnly(trust, false)
            let isTrusted = SecTrustEvaluateWithError(trust, nil)
            completionHandler(isTrusted ? .useCredential : .cancelAuthenticationChallenge, isTrusted ? URLCredential(trust: trust) : nil)
        }
    #endif
}

extension ResponseHead {
    /// - Parameter response: nil if a password is requested without a response.
    fileprivate init(_ response: HTTPURLResponse?) {
        self.init(
            status: response?.statusCode ?? 401, contentType: response?.value(forHTTPHeaderField: "Content-Type"),
            location: response?.value(forHTTPHeaderField: "Location"), entityTag: response?.value(forHTTPHeaderField: "ETag"),
            base: response?.value(forHTTPHeaderField: "Longpress-Base"))
    }
}

extension URLSessionConfiguration {
    fileprivate static var remote: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        return configuration
    }
}
