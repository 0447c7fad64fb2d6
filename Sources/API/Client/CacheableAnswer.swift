import HTTP
import Shortcuts

/// An answer that caches may keep: a representation and the fields that go with it.
struct CacheableAnswer {
    /// What is asked for in the way of bytes.
    struct Wish {
        let wantsGzip: Bool
        /// The fields that the bytes depend on.
        let vary: String
    }

    let representation: Representation
    /// RFC 9110 section 15.4.5: what a cache needs to freshen what it has.
    let validators: Fields
    /// All of them, those first.
    let fields: Fields

    init(_ representation: Representation, in language: LanguageTag? = nil, _ wish: Wish, _ moment: CachePolicy.Moment) {
        self.representation = representation
        var fields = Fields()
        fields.append("ETag", representation.etag.description)
        fields.append("Cache-Control", moment.ofMenu)
        fields.append("Vary", wish.vary)
        fields.append("Content-Location", representation.name.location)
        validators = fields
        fields.append("Content-Type", representation.name.type)
        if representation.isCompressed { fields.append("Content-Encoding", "gzip") }
        if let language { fields.append("Content-Language", language.description) }
        fields.append("Surrogate-Key", "app/\(representation.app)")
        self.fields = fields
    }

    /// - Parameter location: where this very representation can be had without negotiation.
    init(
        _ plain: [UInt8], type: String, of app: AppID, at location: String, in language: LanguageTag? = nil, _ wish: Wish,
        _ moment: CachePolicy.Moment
    ) {
        let name = Representation.Name(location: location, type: type, wantsGzip: wish.wantsGzip)
        self.init(Representation(name, of: app, plain), in: language, wish, moment)
    }

    /// 304 where the client has these bytes already; 412 where it wanted others only (RFC 9110 section 13.2.2).
    func response(to request: Request) throws(Failure) -> Response {
        let etag = representation.etag
        let ifMatch = HTTP.Precondition.ifMatch(request.fields, current: etag)
        guard ifMatch == .absent || ifMatch == .holds else {
            throw Failure(.preconditionFailed, "The entity tag is \(etag) now, which If-Match does not list. Ask again without If-Match.")
        }
        guard HTTP.Precondition.ifNoneMatch(request.fields, current: etag) == .fails else {
            return Response(.ok, fields: fields, body: representation.body)
        }
        return Response(.notModified, fields: validators)
    }
}
