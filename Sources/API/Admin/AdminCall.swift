import HTTP
import QuickActions
import Shortcuts

/// An authenticated request of the admin plane.
struct AdminCall: Sendable {
    private(set) var request: Request
    let parameters: PathParameters
    let operation: AdminRoutes.Operation
    let identity: Identity
    /// For the log.
    let subject: Refusal.Subject
    /// When the request was received with its body.
    private(set) var time: Timestamp
    /// The app as it was stored when the request was authorized; nil on routes where it need not exist.
    var existingApp: App?

    init(
        request: Request, parameters: PathParameters, operation: AdminRoutes.Operation, identity: Identity, subject: Refusal.Subject,
        time: Timestamp
    ) {
        self.request = request
        self.parameters = parameters
        self.operation = operation
        self.identity = identity
        self.subject = subject
        self.time = time
    }

    /// The call with the body of its request.
    func received(_ request: Request, at time: Timestamp) -> AdminCall {
        var call = self
        (call.request, call.time) = (request, time)
        return call
    }

    var author: Author { identity.author(of: request, at: time) }

    /// The JSON body.
    /// - Parameter types: the accepted media types. A body without `Content-Type` is accepted, too.
    func json(_ types: [String] = ["application/json"]) throws(Failure) -> JSON {
        try requireContentType(types)
        return try request.json()
    }

    /// The bytes of a JSON body that is read in parts.
    func jsonBytes() throws(Failure) -> [UInt8] {
        try requireContentType(["application/json"])
        try request.requireBody(.malformedJSON)
        return request.body
    }

    /// A JSON merge patch (RFC 7396).
    func mergePatch() throws(Failure) -> JSON {
        try json(["application/merge-patch+json", "application/json"])
    }

    /// The JSON body of a route whose body is optional. An empty body is read as an object without members.
    func optionalJSON() throws(Failure) -> JSON {
        request.body.isEmpty ? .object([]) : try json()
    }

    /// Requires an empty body, or an empty object, because some clients always send one.
    func requireNoDocument() throws(Failure) {
        let checker = DocumentChecker()
        _ = checker.object(try optionalJSON(), at: .root, known: [])
        try checker.finish()
    }

    func requireContentType(_ types: [String]) throws(Failure) {
        try request.requireContentType(types)
    }

    /// The app of the path.
    func app() throws(Failure) -> AppID {
        guard let app = AppID(parameters["app"]) else { throw .unknownApp(named: parameters["app"]) }
        return app
    }

    /// `2.1.0` or `2.1.0+512`.
    func appBuild() throws(Failure) -> AppBuild {
        let text = parameters["version"]
        guard let build = AppBuild(text) else { throw Failure(.invalidVersion, AppBuild.rule(for: text)) }
        return build
    }

    /// A boolean query parameter; without a value it is true.
    func flag(_ name: String) throws(Failure) -> Bool {
        switch request.query[name] {
        case nil, "false": return false
        case "", "true": return true
        case let other?: throw Failure(.invalidParameter, "\(name): \(quoted(other)) is neither true nor false.")
        }
    }

    /// `until`: the time of the automatic revert.
    /// - Throws: `invalidParameter`.
    func until() throws(Failure) -> Timestamp? { try instant("until") }

    /// A query parameter that is a time.
    /// - Throws: `invalidParameter`.
    func instant(_ name: String) throws(Failure) -> Timestamp? {
        try request.query.withPlusSigns(name).map { text throws(Failure) in try Timestamp(text, of: name) }
    }

    /// A text parameter for a search, without control characters.
    /// - Parameter rule: describes the value, for the error.
    /// - Throws: `invalidParameter`.
    func searched(_ name: String, _ rule: String, upTo limit: Int = 100) throws(Failure) -> String? {
        guard let text = request.query[name] else { return nil }
        guard (1...limit).contains(text.count), text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw Failure(
                .invalidParameter, "\(name): \(quoted(text)) is not \(rule). Give 1 to \(limit) characters without control characters.")
        }
        return text
    }

    /// `override`: an owner's reason for publishing without the missing approvals.
    /// - Throws: `forbidden` for other roles; `invalidParameter`.
    func override() throws(Failure) -> OverrideReason? {
        guard let text = request.query["override"] else { return nil }
        guard identity.role >= .owner else {
            throw Failure(
                .forbidden, "override requires the role owner; \(identity.noun) has \(identity.role.rawValue).")
        }
        return try OverrideReason(text, of: "override")
    }

    /// `message`: stored with the revision.
    /// - Throws: `invalidParameter`.
    func message() throws(Failure) -> RevisionMessage? { try request.query.parsed("message") }

    /// Whether `dryRun` is true. An invalid value is rejected later.
    var isDryRun: Bool { ["", "true"].contains(request.query["dryRun"]) }

    /// The memory to read and plan the documents of an apply or an import, in bytes. Measured: 7 times the body for valid documents, 13
    /// times with differences to many sets, and 23 times for deeply nested arrays.
    var documentMemory: Int { 16 * request.body.count }

    /// `limit` (1-200, default 50) and `cursor`.
    func page() throws(Failure) -> PageRequest {
        var limit = 50
        if let text = request.query["limit"] {
            guard let number = Int(text), (1...200).contains(number), text.utf8.allSatisfy(\.isASCIIDigit) else {
                throw Failure(.invalidParameter, "limit: \(quoted(text)) is not a number from 1 to 200.")
            }
            limit = number
        }
        return PageRequest(limit: limit, cursor: request.query["cursor"])
    }

    /// `If-Match` and `If-None-Match` (RFC 9110 section 13.1).
    func writeCondition() -> WriteCondition {
        let fields = request.fields
        return WriteCondition(
            ifMatch: { tag in Precondition.ifMatch(fields, current: tag.map { EntityTag(opaque: $0) }).allows },
            ifNoneMatch: { tag in Precondition.ifNoneMatch(fields, current: tag.map { EntityTag(opaque: $0) }).allows })
    }
}

extension PageRequest {
    /// The memory to read and answer the page, in bytes: an item has a few KiB.
    var memory: Int { limit << 14 }
}

extension AdminCall {
    /// A resource with its entity tag; 304 if `If-None-Match` matches it (RFC 9110 section 13.1.2).
    /// - Parameter fields: sent with either.
    func answer(_ json: JSON, tag: String, fields: Fields = Fields()) -> Response {
        let tag = EntityTag(opaque: tag)
        var fields = fields
        fields.append("ETag", tag.description)
        guard Precondition.ifNoneMatch(request.fields, current: tag) == .fails else {
            return .json(json, fields: fields)
        }
        fields.append("Cache-Control", "no-store")
        return Response(.notModified, fields: fields)
    }
}
