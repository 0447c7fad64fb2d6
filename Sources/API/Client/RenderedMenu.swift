import HTTP
import Shortcuts

/// A menu in one representation: the bytes and the fields that go with them.
struct RenderedMenu {
    private let fields: Fields
    private let body: [UInt8]
    private let etag: EntityTag

    init(_ answer: ShortcutsAnswer, _ wanted: ShortcutsRequest, _ policy: CachePolicy) {
        let plain =
            switch wanted.format {
            case .json: answer.json.encoded
            case .propertyList: answer.json.xmlPropertyList
            }
        let compressed = wanted.wantsGzip ? gzip(plain) : nil
        body = compressed ?? plain
        etag = EntityTag(opaque: entityHash(of: body))
        var fields = Fields()
        fields.append("Content-Type", wanted.format.mediaType)
        if compressed != nil { fields.append("Content-Encoding", "gzip") }
        fields.append("ETag", etag.description)
        fields.append("Cache-Control", policy.ofMenu)
        fields.append("Vary", wanted.vary)
        fields.append("Content-Language", answer.language.description)
        fields.append("Content-Location", answer.location)
        fields.append("Surrogate-Key", "app/\(answer.app)")
        self.fields = fields
    }

    /// 304 where the client has these bytes already (RFC 9110 section 13.1.2).
    func response(to request: Request) -> Response {
        guard HTTP.Precondition.ifNoneMatch(request.fields, current: etag) == .fails else {
            return Response(.ok, fields: fields, body: body)
        }
        return Response(.notModified, fields: notModifiedFields, body: [])
    }

    var remembered: RememberedAnswer {
        RememberedAnswer(
            ok: PreparedAnswer(.ok, fields: fields, body: body, route: ClientRoutes.shortcutsName),
            notModified: PreparedAnswer(.notModified, fields: notModifiedFields, body: [], route: ClientRoutes.shortcutsName),
            etag: Array(etag.opaque.utf8))
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

extension ShortcutsAnswer {
    /// Where this very representation's language, audience and build can be had without negotiation.
    fileprivate var location: String {
        var location = "/v1/apps/\(app)/versions/\(client.version)/shortcuts?lang=\(language)"
        if audience != .default { location += "&audience=\(audience)" }
        if let build = client.build { location += "&build=\(build)" }
        return location
    }
}
