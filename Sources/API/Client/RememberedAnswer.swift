import HTTP

/// An answer in both forms that a fetch may get from memory.
final class RememberedAnswer: Sendable {
    /// The spelling it answers, as `RenderedAnswers.Key` writes it.
    let key: [UInt8]
    let representation: Representation
    let ok: PreparedAnswer
    let notModified: PreparedAnswer
    /// What stands between the quotes of the entity tag.
    let etag: [UInt8]

    /// - Parameter route: the route's name, for metrics.
    init(key: [UInt8], _ answer: CacheableAnswer, of representation: Representation, by route: String) {
        self.key = key
        self.representation = representation
        ok = PreparedAnswer(.ok, fields: answer.fields, body: representation.body, route: route)
        notModified = ok.notModified(keeping: answer.validators.count)
        etag = Array(representation.etag.opaque.utf8)
    }

    /// Beside its representation.
    var cost: Int { key.count + ok.fieldBytes + etag.count + Self.overhead }

    /// The object, its place in the table, and what the allocator adds.
    private static let overhead = 576
}
