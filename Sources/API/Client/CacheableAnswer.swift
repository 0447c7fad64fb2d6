import HTTP
import Shortcuts

/// An answer that caches may keep: the bytes and the fields that go with them.
struct CacheableAnswer {
    /// What is asked for in the way of bytes.
    struct Wish {
        let wantsGzip: Bool
        /// The fields that the bytes depend on.
        let vary: String
    }

    private let fields: Fields
    private let body: [UInt8]
    private let etag: EntityTag

    /// - Parameter location: where this very representation can be had without negotiation.
    init(
        _ plain: [UInt8], type: String, of app: AppID, at location: String, in language: LanguageTag? = nil, _ wish: Wish,
        _ policy: CachePolicy.Moment
    ) {
        let compressed = wish.wantsGzip ? gzip(plain) : nil
        body = compressed ?? plain
        etag = EntityTag(opaque: entityHash(of: body))
        var fields = Fields()
        fields.append("Content-Type", type)
        if compressed != nil { fields.append("Content-Encoding", "gzip") }
        fields.append("ETag", etag.description)
        fields.append("Cache-Control", policy.ofMenu)
        fields.append("Vary", wish.vary)
        if let language { fields.append("Content-Language", language.description) }
        fields.append("Content-Location", location)
        fields.append("Surrogate-Key", "app/\(app)")
        self.fields = fields
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
        return Response(.notModified, fields: notModifiedFields)
    }

    /// - Parameter route: the route's name, for metrics.
    func remembered(by route: String) -> RememberedAnswer {
        RememberedAnswer(
            ok: PreparedAnswer(.ok, fields: fields, body: body, route: route),
            notModified: PreparedAnswer(.notModified, fields: notModifiedFields, body: [], route: route), etag: Array(etag.opaque.utf8))
    }

    /// RFC 9110 section 15.4.5: what a cache needs to freshen what it has.
    private var notModifiedFields: Fields {
        var kept = Fields()
        for name in ["ETag", "Cache-Control", "Vary", "Content-Location"] {
            if let value = fields.first(name) { kept.append(name, value) }
        }
        return kept
    }
}
