import Foundation
import QuickActions

/// A client for a running service over HTTP. Every function blocks until the answer is complete.
package struct RemoteService: Sendable {
    /// The size limit of an answer, in bytes. An import has the same limit.
    package static let limit = 64 << 20
    /// How long to wait without receiving data, in seconds.
    private static let timeout = 120

    package let address: ServerAddress
    private let token: AccessToken
    private let transport: any Transport
    let progress: ProgressLine

    package init(_ address: ServerAddress, token: AccessToken, transport: any Transport, progress: ProgressLine) {
        self.address = address
        self.token = token
        self.transport = transport
        self.progress = progress
    }

    /// The token is sent only to the admin plane.
    enum Plane {
        case client, admin
    }

    struct Call {
        var plane = Plane.admin
        var method = "GET"
        /// The path below the plane, with each segment encoded.
        let path: String
        var query: [(String, String)] = []
        var fields: [(String, String)] = []
        var body: [UInt8]?
        var contentType = "application/json"
        var accept = "application/json"
        var timeout = RemoteService.timeout
        var isEndless = false
        /// A sentence: what to do if the service does not have what the path names. It replaces the service's advice, which is for users of
        /// the API. Nil keeps that.
        var remedy: String?
    }

    /// The body of a successful answer.
    /// - Throws: the error that the service answered.
    func bytes(_ call: Call) throws(RemoteFailure) -> [UInt8] {
        var body: [UInt8] = []
        try send(call) { part throws(RemoteFailure) in
            body += part
        }
        return body
    }

    func json(_ call: Call) throws(RemoteFailure) -> JSON { try answer(call).json }

    /// A successful answer with a JSON document.
    package struct Answer: Sendable {
        /// An empty object if the answer has no body (204).
        package let json: JSON
        /// The field `ETag`, with its quotes.
        package let entityTag: String?
        /// The field `Longpress-Base`: the revision that a draft or a scheduled set was made from, 0 for none.
        package let base: String?
    }

    func answer(_ call: Call) throws(RemoteFailure) -> Answer {
        var body: [UInt8] = []
        let head = try send(call) { part throws(RemoteFailure) in
            body += part
        }
        do throws(JSONReader.ParseError) {
            return Answer(json: head.status == 204 ? [:] : try JSONReader.read(body), entityTag: head.entityTag, base: head.base)
        } catch {
            throw notLongpress("answered \(call.path) with a body that is not JSON")
        }
    }

    /// Calls `receive` with each part of a successful answer.
    @discardableResult
    func send(_ call: Call, receive: ([UInt8]) throws(RemoteFailure) -> Void) throws(RemoteFailure) -> ResponseHead {
        let request = try request(call)
        var head: ResponseHead?
        var refused: [UInt8] = []
        try transport.send(request) { part throws(RemoteFailure) in
            switch part {
            case .head(let received):
                head = received
                if (200..<300).contains(received.status) { try require(call.accept, in: received, of: call) }
            case .body(let bytes):
                if let status = head?.status, (200..<300).contains(status) { return try receive(bytes) }
                // A problem has less than 1 MiB. Longer bodies are truncated.
                if refused.count < 4 << 20 { refused += bytes }
            }
        }
        guard let head else { throw notLongpress("closed the connection without an answer") }
        guard (200..<300).contains(head.status) else { throw failure(head, refused, of: call) }
        return head
    }

    private func request(_ call: Call) throws(RemoteFailure) -> RemoteRequest {
        var fields = call.fields + [("Accept", "\(call.accept), application/problem+json"), ("User-Agent", "longpress/\(programVersion)")]
        if call.plane == .admin { fields.append(("Authorization", "Bearer \(try token.secret())")) }
        if call.body != nil { fields.append(("Content-Type", call.contentType)) }
        let url = try address.url((call.plane == .admin ? "/admin/v1" : "/v1") + call.path, call.query)
        return RemoteRequest(
            method: call.method, url: url, fields: fields.map { (name: $0, value: $1) }, body: call.body, timeout: call.timeout,
            limit: call.isEndless ? .max : Self.limit)
    }

    private func require(_ mediaType: String, in head: ResponseHead, of call: Call) throws(RemoteFailure) {
        guard head.mediaType != mediaType, head.status != 204 else { return }
        let found = head.mediaType.isEmpty ? "a body without a media type" : quoted(head.mediaType)
        throw notLongpress("answered \(call.path) with \(found) instead of \(mediaType)")
    }

    private func failure(_ head: ResponseHead, _ body: [UInt8], of call: Call) -> RemoteFailure {
        if (300..<400).contains(head.status) {
            let target = head.location.map { " to \(quoted($0))" } ?? ""
            return RemoteFailure("\(address) redirects\(target), but redirects are not followed. Use the address of the service itself.")
        }
        guard head.mediaType == "application/problem+json", let refusal = ServiceError(status: head.status, body) else {
            return notLongpress("answered \(head.status) without an error from Longpress", mayPass: head.status >= 500)
        }
        let sentences =
            refusal.violations.isEmpty
            ? [call.remedy.map { refusal.detail(withRemedy: $0) } ?? refusal.detail] : refusal.violations.map(\.sentence)
        return RemoteFailure(sentences.joined(separator: "\n").namingOptions, refusal: refusal)
    }

    /// - Parameters:
    ///   - what: a clause: `answered 404 without a reason`.
    ///   - mayPass: whether the error may be temporary, such as a proxy's 502 while the service restarts.
    func notLongpress(_ what: String, mayPass: Bool = false) -> RemoteFailure {
        RemoteFailure(
            "\(address) \(what). It is not Longpress, or a proxy in front of it answered. Check the address of --server.",
            isOfConnection: mayPass)
    }
}

extension String {
    /// A sentence of the service with the command's options in place of parameters of requests.
    fileprivate var namingOptions: String {
        replacing("?override=<reason>", with: "--override REASON").replacing("A dry run (?dryRun=true)", with: "longpress plan")
            .replacing("?drafts=true", with: "--draft")
    }
}
