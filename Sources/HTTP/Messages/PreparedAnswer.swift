/// An answer from memory, encoded once: only the date is written anew for each request.
package final class PreparedAnswer: Sendable {
    /// Where the date stands in both forms.
    package let ok: Encoded
    package let notModified: Encoded
    /// The strong entity tag, as bytes, to be compared with `If-None-Match`.
    package let etag: [UInt8]

    package struct Encoded: Sendable {
        /// Head and body.
        package let bytes: [UInt8]
        package let headLength: Int
        package let dateOffset: Int
        package let status: Int
    }

    package init(fields: Fields, notModifiedFields: Fields, etag: String, body: [UInt8]) {
        ok = Self.encode(.ok, fields, body)
        notModified = Self.encode(.notModified, notModifiedFields, [])
        self.etag = Array(etag.utf8)
    }

    /// What it costs to keep.
    package var byteCount: Int { ok.bytes.count + notModified.bytes.count + etag.count }

    private static func encode(_ status: Status, _ fields: Fields, _ body: [UInt8]) -> Encoded {
        let encoder = ResponseEncoder(date: Array(repeating: UInt8(ascii: " "), count: HTTPDate.length))
        let head = encoder.head(Response(status: status, fields: fields, body: body), keepsAlive: true)
        return Encoded(
            bytes: head + body, headLength: head.count, dateOffset: ResponseEncoder.dateOffset(status), status: status.code)
    }
}
