import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif
#if canImport(Security)
    import Security
#endif

/// Sends requests over `URLSession`, without its cache, cookies and credentials. Not part of the build on Linux, where `RemoteCurl` does that;
/// a test compiles and runs it there.
package struct SessionTransport: Transport {
    /// DER certificates of authorities that are trusted beside the system's. On Apple's systems only: elsewhere `URLSession` has no way to
    /// be given one.
    private let authorities: [Data]

    #if canImport(Security)
        /// - Parameter file: certificates (PEM) of authorities that are trusted beside the system's; nil for none.
        package init(trusting file: String?) throws(RemoteFailure) {
            authorities =
                try file.map { file throws(RemoteFailure) in
                    try PEM.certificates(in: LocalFile.read(file, atMost: 16 << 20), named: file)
                } ?? []
        }
    #else
        package init() {
            authorities = []
        }
    #endif

    package func send(_ request: RemoteRequest, receive: (ResponsePart) throws(RemoteFailure) -> Void) throws(RemoteFailure) {
        let parts = PartQueue()
        let delegate = SessionDelegate(parts, limit: request.limit, authorities: authorities)
        let session = URLSession(configuration: .remote(timeout: request.timeout), delegate: delegate, delegateQueue: nil)
        defer { session.invalidateAndCancel() }
        var sent = URLRequest(url: request.url)
        sent.httpMethod = request.method
        for field in request.fields { sent.setValue(field.value, forHTTPHeaderField: field.name) }
        sent.httpBody = request.body.map { Data($0) }
        session.dataTask(with: sent).resume()
        while true {
            let received = try parts.next(of: request.url)
            if received.isEmpty { return }
            for part in received { try receive(part) }
        }
    }
}

/// The parts of an answer, from the session's thread to the one that waits. `condition` guards the state.
private final class PartQueue: @unchecked Sendable {
    private let condition = NSCondition()
    private var parts: [ResponsePart] = []
    /// Of the body's bytes.
    private var count = 0
    private var end: Result<Void, any Error>?

    func add(_ part: ResponsePart) {
        condition.withLock {
            parts.append(part)
            condition.signal()
        }
    }

    /// False where the body is larger than it may be, which ends the answer.
    func add(_ bytes: [UInt8], atMost limit: Int) -> Bool {
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
        case .cannotFindHost, .dnsLookupFailed: return "its name is not known"
        case .cannotConnectToHost: return "nothing accepts connections there"
        case .timedOut: return "nothing came in time"
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateNotYetValid,
            .serverCertificateHasUnknownRoot:
            return "its certificate is not trusted; --ca FILE adds an authority"
        default:
            // On Linux the words of libcurl: `SSL certificate problem: unable to get local issuer certificate`.
            return error.localizedDescription + (isSecure ? "; --ca FILE adds an authority" : "")
        }
    }
}

private final class SessionDelegate: NSObject, URLSessionDataDelegate {
    private let parts: PartQueue
    private let limit: Int
    private let authorities: [Data]

    init(_ parts: PartQueue, limit: Int, authorities: [Data]) {
        self.parts = parts
        self.limit = limit
        self.authorities = authorities
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
            parts.add(.head(ResponseHead(response)))
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard parts.add(data.withUnsafeBytes { Array($0) }, atMost: limit) else { return dataTask.cancel() }
    }

    /// A service asks for a token and never for a password: what asks for one is answered with that. (`URLSession` on Linux waits for ever
    /// where nobody answers this, and does not hand the answer on.)
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        parts.add(.head(ResponseHead(challenge.failureResponse as? HTTPURLResponse)))
        parts.finish(.success(()))
        completionHandler(.cancelAuthenticationChallenge, nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        parts.finish(error.map { .failure($0) } ?? .success(()))
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
    /// - Parameter response: nil where a password is asked for without one.
    fileprivate init(_ response: HTTPURLResponse?) {
        self.init(
            status: response?.statusCode ?? 401, contentType: response?.value(forHTTPHeaderField: "Content-Type"),
            location: response?.value(forHTTPHeaderField: "Location"))
    }
}

extension URLSessionConfiguration {
    fileprivate static func remote(timeout: Int) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.timeoutIntervalForRequest = TimeInterval(timeout)
        return configuration
    }
}
