import HTTP

/// An answer that a fetch may get from memory.
final class RememberedAnswer: Sendable {
    /// The spelling it answers, as `RenderedAnswers.Key` writes it.
    let key: [UInt8]
    let representation: Representation
    let prepared: PreparedAnswer

    /// - Parameter route: the route's name, for metrics.
    init(key: [UInt8], _ answer: CacheableAnswer, of representation: Representation, by route: String) {
        self.key = key
        self.representation = representation
        prepared = PreparedAnswer(fields: answer.fields, validators: answer.validators.count, body: representation.body, route: route)
    }

    /// Beside its representation.
    var cost: Int { key.count + prepared.fieldBytes + Self.overhead }

    /// The object, its place in the table, and what the allocator adds.
    private static let overhead = 448
}
