import HTTP
import QuickActions
import Shortcuts

/// An answer with placeholders for the client's version. It is rendered once for all versions with the same set in effect, and completed
/// for each version.
struct AnswerTemplate: Sendable {
    /// A long body after the last placeholder. A cached template hashes and compresses it once for all versions.
    private struct Tail {
        let bytes: [UInt8]
        var digest: [UInt8]?
        var gzipped: GzipTail?
    }

    private let cacheControl: String
    private let vary: String
    /// The body with placeholders, without a long tail.
    private let head: [UInt8]
    private var tail: Tail?

    /// The size from which hashing and compressing the tail separately is faster, in bytes.
    private static let longTail = 16 << 10

    /// - Parameter body: with placeholders.
    init(_ body: [UInt8], vary: String, _ moment: CachePolicy.Moment) {
        self.vary = vary
        cacheControl = moment.ofMenu
        let split = WrittenVersion.endOfLastPlaceholder(in: body)
        let hasTail = body.count - split >= Self.longTail
        head = hasTail ? Array(body[..<split]) : body
        tail = hasTail ? Tail(bytes: Array(body[split...])) : nil
    }

    /// The template for a cache, with its tail hashed and compressed.
    var prepared: AnswerTemplate {
        guard var tail else { return self }
        tail.digest = sha256(tail.bytes)
        tail.gzipped = GzipTail(tail.bytes)
        var template = self
        template.tail = tail
        return template
    }

    /// Whether an event loop may complete a prepared template: that takes at most about 50 µs, including compression.
    func isQuick(for representation: SelectedRepresentation) -> Bool { !representation.isGzipped || head.count <= 8 << 10 }

    /// Its memory in bytes.
    var cost: Int {
        head.count + (tail?.bytes.count ?? 0) + (tail?.gzipped?.deflated.count ?? 0) + 512
    }

    /// Inserts the client's version, and compresses the body if the representation is gzipped.
    /// - Parameter key: the key of the representation.
    /// - Returns: nil if zlib cannot allocate memory.
    func completed(as representation: SelectedRepresentation, _ key: AnswerKey) -> PreparedAnswer? {
        let head = WrittenVersion.put(representation.client, into: head)
        let body: [UInt8]
        let hash: String
        switch (tail, representation.isGzipped) {
        case (nil, false):
            body = head
            hash = entityHash(of: head)
        case (let tail?, false):
            body = head + tail.bytes
            hash = entityHash(of: head + (tail.digest ?? sha256(tail.bytes)))
        case (let tail, true):
            let member = if let tail { (tail.gzipped ?? GzipTail(tail.bytes))?.member(behind: head) } else { gzip(head) }
            guard let member else { return nil }
            body = member
            hash = entityHash(of: member)
        }
        var fields: Fields = [
            "ETag": EntityTag(opaque: hash).description, "Cache-Control": cacheControl, "Vary": vary,
            "Content-Location": representation.location,
        ]
        // The 304 has these, and none of the following (RFC 9110 section 15.4.5).
        let validators = fields.count
        fields.append("Content-Type", representation.resource.mediaType)
        if let language = representation.language { fields.append("Content-Language", language.description) }
        fields.append("Surrogate-Key", "app/\(representation.app)")
        if representation.isGzipped { fields.append("Content-Encoding", "gzip") }
        if let notice = representation.notice { fields.append(ParameterNotice.field, notice.text) }
        return PreparedAnswer(
            prefix: key.bytes, fields: fields, validators: validators, body: body, route: representation.resource.route)
    }
}
