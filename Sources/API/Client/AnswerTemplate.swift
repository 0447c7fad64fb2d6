import HTTP
import QuickActions
import Shortcuts

/// An answer with placeholders for the client's version. It is rendered once for all versions with the same set in effect, and completed
/// for each version.
struct AnswerTemplate: Sendable {
    /// The body after the last placeholder. A long tail is hashed and compressed once for all versions.
    private enum Tail {
        case short
        case long([UInt8], digest: [UInt8], gzipped: GzipTail)
    }

    private let cacheControl: String
    private let vary: String
    /// The body with placeholders, without a long tail.
    private let head: [UInt8]
    private let tail: Tail

    /// The size from which hashing and compressing the tail separately is faster, in bytes.
    private static let longTail = 16 << 10

    /// - Parameter body: with placeholders.
    init(_ body: [UInt8], vary: String, _ moment: CachePolicy.Moment) {
        self.vary = vary
        cacheControl = moment.ofMenu
        let split = WrittenVersion.endOfLastPlaceholder(in: body)
        if body.count - split >= Self.longTail, case let rest = Array(body[split...]), let gzipped = GzipTail(rest) {
            head = Array(body[..<split])
            tail = .long(rest, digest: sha256(rest), gzipped: gzipped)
        } else {
            head = body
            tail = .short
        }
    }

    /// Whether an event loop may complete it: that takes at most about 50 µs, including compression.
    var isQuicklyCompressed: Bool { head.count <= 8 << 10 }

    /// Its memory in bytes.
    var cost: Int {
        let tailCost = if case .long(let rest, _, let gzipped) = tail { rest.count + gzipped.deflated.count } else { 0 }
        return head.count + tailCost + 512
    }

    /// Inserts the client's version, and compresses the body if the representation is gzipped.
    /// - Parameter key: the key of the representation.
    /// - Returns: nil if zlib cannot allocate memory.
    func completed(as representation: SelectedRepresentation, _ key: AnswerKey) -> PreparedAnswer? {
        let head = WrittenVersion.put(representation.client, into: head)
        let body: [UInt8]
        let hash: String
        switch (tail, representation.isGzipped) {
        case (.short, false):
            body = head
            hash = entityHash(of: head)
        case (.short, true):
            guard let gzipped = gzip(head) else { return nil }
            body = gzipped
            hash = entityHash(of: gzipped)
        case (.long(let rest, let digest, _), false):
            body = head + rest
            hash = entityHash(of: head + digest)
        case (.long(_, _, let rest), true):
            guard let gzipped = rest.member(behind: head) else { return nil }
            body = gzipped
            hash = entityHash(of: gzipped)
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
