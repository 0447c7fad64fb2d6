import HTTP
import Shortcuts

/// A menu in one representation: the bytes and the fields that go with them.
struct RenderedMenu {
    private let fields: Fields
    private let body: [UInt8]
    private let etag: String

    init(_ answer: ShortcutsAnswer, _ wanted: ShortcutsRequest, _ policy: CachePolicy) {
        let plain =
            switch wanted.format {
            case .json: answer.json.encoded
            case .propertyList: answer.json.xmlPropertyList
            }
        let compressed = wanted.wantsGzip ? gzip(plain) : nil
        body = compressed ?? plain
        etag = entityTag(of: body)
        var fields = Fields()
        fields.append("Content-Type", wanted.format.mediaType)
        if compressed != nil { fields.append("Content-Encoding", "gzip") }
        fields.append("ETag", etag)
        fields.append("Cache-Control", policy.ofMenu)
        fields.append("Vary", wanted.vary)
        fields.append("Content-Language", answer.language.description)
        fields.append("Content-Location", answer.location)
        fields.append("Surrogate-Key", "app/\(answer.app)")
        self.fields = fields
    }

    /// 304 where the client has these bytes already (RFC 9110 section 13.1.2).
    func response(to request: Request) -> Response {
        let condition = request.fields.combined("If-None-Match").map(EntityTagCondition.init)
        guard condition?.matchesWeakly(etag) ?? false else {
            return Response(status: .ok, fields: fields, body: body)
        }
        return Response(status: .notModified, fields: notModifiedFields, body: [])
    }

    var prepared: PreparedAnswer {
        PreparedAnswer(fields: fields, notModifiedFields: notModifiedFields, etag: etag, body: body)
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
