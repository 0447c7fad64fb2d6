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

    func requireContentType(_ types: [String]) throws(Failure) {
        guard let contentType = request.mediaType else { return }
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
        guard let build = AppBuild(text) else {
            throw Failure(
                .invalidVersion,
                "\(quoted(text)) is not a version. Use one to three integers separated by periods, with the build behind a "
                    + "plus sign where there is one, for example 2.1.0+512.")
        }
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

    /// `If-Match` and `If-None-Match` (RFC 9110 section 13.1) over revision numbers.
    func precondition() -> Shortcuts.Precondition {
        let fields = request.fields
        return Shortcuts.Precondition { revision in
            let current = revision.map { EntityTag(opaque: String($0)) }
            let verdicts = [
                HTTP.Precondition.ifMatch(fields, current: current), HTTP.Precondition.ifNoneMatch(fields, current: current),
            ]
            // What cannot be read was meant to protect something: nothing is written.
            return verdicts.allSatisfy { $0 == .absent || $0 == .holds }
        }
    }
}

/// The entity tag of a set on the admin plane: its revision.
func revisionTag(_ revision: Int64) -> String {
    EntityTag(opaque: String(revision)).description
}

extension Response {
    static func json(_ json: JSON, status: Status = .ok, fields: Fields = Fields()) -> Response {
        var fields = fields
        fields.append("Content-Type", "application/json")
        fields.append("Cache-Control", "no-store")
        return Response(status, fields: fields, body: json.encoded)
    }

    static var noContent: Response { Response(.noContent, fields: Fields(), body: []) }

    /// What publish, restore, PATCH and DELETE of a set answer alike.
    static func published(_ receipt: PublishReceipt) -> Response {
        var fields = Fields()
        fields.append("ETag", revisionTag(receipt.revision))
        let body = JSON.object([
            JSON.Member("revision", .integer(receipt.revision)),
            JSON.Member("warnings", .array(receipt.warnings.map(\.json))),
        ])
        return .json(body, status: receipt.isNew ? .created : .ok, fields: fields)
    }

    static func list<Element>(_ page: Page<Element>, _ json: (Element) -> JSON) -> Response {
        .json(.object([JSON.Member("items", .array(page.items.map(json))), JSON.Member("next", .optional(page.next))]))
    }
}

extension Request {
    /// The body's media type in lower case without parameters; nil where none is named.
    var mediaType: String? {
        fields.first("Content-Type").map { field in
            field.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
        }
    }
}
