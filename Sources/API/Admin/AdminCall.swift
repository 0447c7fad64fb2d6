import HTTP
import Shortcuts

/// A request of the admin plane whose sender is known and may make it.
struct AdminCall {
    let request: Request
    let parameters: PathParameters
    let identity: Identity
    /// The app of the path; the routes without one do not ask.
    let appID: AppID?
    let author: Author

    /// The JSON body.
    func json(_ types: [String] = ["application/json"]) throws(Failure) -> JSON {
        try requireContentType(types)
        return try JSONReader.read(request.body)
    }

    /// The JSON body of a route that can do without one.
    func optionalJSON() throws(Failure) -> JSON? {
        request.body.isEmpty ? nil : try json()
    }

    /// For a route whose path says it all: no body, or an empty object.
    func requireNoDocument() throws(Failure) {
        guard let json = try optionalJSON() else { return }
        var checker = DocumentChecker()
        _ = checker.object(json, at: .root, known: [])
        try checker.finish()
    }

    func requireContentType(_ types: [String]) throws(Failure) {
        guard let contentType = try request.mediaType else { return }
        guard types.contains(contentType) else {
            throw Failure(
                .unsupportedMediaType,
                "\(quoted(contentType)) is not understood here. Send the field Content-Type: \(types.joined(separator: " or ")).")
        }
    }

    func version() throws(Failure) -> AppVersion {
        let text = parameters["version"]
        guard let version = AppVersion(text) else { throw .invalidVersion(text) }
        return version
    }

    /// `2.1.0` or `2.1.0+512`.
    func appBuild() throws(Failure) -> AppBuild {
        let text = parameters["version"]
        guard let build = AppBuild(text) else { throw Failure(.invalidVersion, AppBuild.rule(for: text)) }
        return build
    }

    func audience() throws(Failure) -> Audience? {
        guard let text = request.query["audience"] else { return nil }
        guard let audience = Audience(text) else {
            throw Failure(.invalidParameter, "audience: \(Audience.rule(for: text))")
        }
        return audience
    }

    /// `limit` (1-200, default 50) and `cursor`.
    func page() throws(Failure) -> PageRequest {
        var limit = 50
        if let text = request.query["limit"] {
            guard let number = Int(text), (1...200).contains(number), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                throw Failure(.invalidParameter, "limit: \(quoted(text)) is not a number from 1 to 200.")
            }
            limit = number
        }
        return PageRequest(limit: limit, cursor: request.query["cursor"])
    }

    /// `If-Match` and `If-None-Match` (RFC 9110 section 13.1).
    func precondition() -> Shortcuts.Precondition {
        let fields = request.fields
        // What cannot be read was meant to protect something: nothing is written.
        return Shortcuts.Precondition(
            ifMatch: { tag in
                let verdict = HTTP.Precondition.ifMatch(fields, current: tag.map { EntityTag(opaque: $0) })
                return verdict == .absent || verdict == .holds
            },
            ifNoneMatch: { tag in
                let verdict = HTTP.Precondition.ifNoneMatch(fields, current: tag.map { EntityTag(opaque: $0) })
                return verdict == .absent || verdict == .holds
            })
    }
}

extension AdminCall {
    /// What stands, with its entity tag; 304 where the sender has it already (RFC 9110 section 13.1.2).
    func answer(_ json: JSON, tag: String) -> Response {
        let tag = EntityTag(opaque: tag)
        guard HTTP.Precondition.ifNoneMatch(request.fields, current: tag) == .fails else {
            return .json(json, fields: .tagged(tag.opaque))
        }
        var fields = Fields.tagged(tag.opaque)
        fields.append("Cache-Control", "no-store")
        return Response(.notModified, fields: fields)
    }
}

extension Fields {
    /// - Parameter tag: what stands between the quotes of the entity tag: of a set its revision.
    static func tagged(_ tag: String) -> Fields {
        var fields = Fields()
        fields.append("ETag", EntityTag(opaque: tag).description)
        return fields
    }
}

extension Response {
    static func json(_ json: JSON, status: Status = .ok, fields: Fields = Fields()) -> Response {
        .document(json.encoded, type: "application/json", status: status, fields: fields)
    }

    static func document(_ bytes: [UInt8], type: String, status: Status = .ok, fields: Fields = Fields()) -> Response {
        var fields = fields
        fields.append("Content-Type", type)
        fields.append("Cache-Control", "no-store")
        return Response(status, fields: fields, body: bytes)
    }

    static var noContent: Response { Response(.noContent, fields: Fields(), body: []) }

    /// What every publish answers alike: PUT, PATCH of an item and DELETE of a set, a draft's publish, a restore.
    static func published(_ receipt: PublishReceipt, status: Status = .ok) -> Response {
        let body = JSON.object([
            JSON.Member("revision", .integer(receipt.revision)),
            JSON.Member("warnings", .array(receipt.warnings.map(\.json))),
        ])
        return .json(body, status: status, fields: .tagged(String(receipt.revision)))
    }

    static func list<Element>(_ page: Page<Element>, _ json: (Element) -> JSON) -> Response {
        .json(.object([JSON.Member("items", .array(page.items.map(json))), JSON.Member("next", .optional(page.next))]))
    }
}

extension Request {
    /// The body's media type in lower case without parameters; nil where none is named. Where two fields name one, it is none of
    /// ours, whichever stands first.
    /// - Throws: `unsupportedMediaType` for a coded body, which would be read as it is (RFC 9110 section 15.5.16).
    var mediaType: String? {
        get throws(Failure) {
            if let coding = fields.combined("Content-Encoding"), coding.lowercased() != "identity" {
                throw Failure(.unsupportedMediaType, "Bodies coded as \(quoted(coding)) are not understood here. Send it as it is.")
            }
            let types = fields.all("Content-Type").map { field in
                field.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
            }
            return types.isEmpty ? nil : types.joined(separator: ", ")
        }
    }
}
