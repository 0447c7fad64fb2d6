import HTTP
import Shortcuts

/// An answer that caches may keep, as a worker sends it.
struct CacheableAnswer: Sendable {
    let fields: Fields
    /// How many of the fields, from the first on, a cache needs to freshen what it has (RFC 9110 section 15.4.5).
    let validators: Int
    let body: [UInt8]
    private let etag: EntityTag

    /// Nil where it has no entity tag.
    init?(_ prepared: PreparedAnswer) {
        (fields, validators, body) = prepared.parts
        guard let etag = fields.first("ETag").flatMap({ EntityTag($0) }) else { return nil }
        self.etag = etag
    }

    /// 304 where the client has these bytes already; 412 where it wanted others only (RFC 9110 section 13.2.2).
    func response(to request: Request) throws(Failure) -> Response {
        let ifMatch = HTTP.Precondition.ifMatch(request.fields, current: etag)
        guard ifMatch == .absent || ifMatch == .holds else {
            throw Failure(.preconditionFailed, "The entity tag is \(etag) now, which If-Match does not list. Ask again without If-Match.")
        }
        guard HTTP.Precondition.ifNoneMatch(request.fields, current: etag) == .fails else {
            return Response(.ok, fields: fields, body: body)
        }
        var first = Fields()
        for field in fields.prefix(validators) { first.append(field.name, field.value) }
        return Response(.notModified, fields: first)
    }
}
