/// `If-Match` and `If-None-Match` as a writer sent them; where they do not hold, nothing is written (412).
package struct WriteCondition: Sendable {
    /// Whether the field holds for the entity tag that the resource has, without quotes, or for nil where there is no such
    /// resource. A set's tag is its revision.
    package typealias Condition = @Sendable (_ tag: String?) -> Bool

    private let ifMatch: Condition
    private let ifNoneMatch: Condition

    package init(ifMatch: @escaping Condition, ifNoneMatch: @escaping Condition) {
        self.ifMatch = ifMatch
        self.ifNoneMatch = ifNoneMatch
    }

    package static let none = WriteCondition(ifMatch: { _ in true }, ifNoneMatch: { _ in true })

    package func holds(_ tag: String?) -> Bool {
        ifMatch(tag) && ifNoneMatch(tag)
    }

    /// The same, with `If-Match` content with another tag too.
    package func matching(_ other: String) -> WriteCondition {
        let (ifMatch, ifNoneMatch) = (ifMatch, ifNoneMatch)
        return WriteCondition(ifMatch: { ifMatch($0) || ifMatch(other) }, ifNoneMatch: ifNoneMatch)
    }
}

extension WriteCondition {
    package func require(_ former: PublishedSet?) throws(Failure) {
        let state = former.map { "The set is at revision \($0.revision)" } ?? "There is no such set"
        try require((former?.revision).map(String.init), state: state)
    }

    package func require(_ former: App?) throws(Failure) {
        try require(former?.tag, state: former.map { "The app's ETag is \"\($0.tag)\"" } ?? "There is no such app")
    }

    package func require(_ former: Release?) throws(Failure) {
        try require(former?.tag, state: former.map { "The release's ETag is \"\($0.tag)\"" } ?? "There is no such release")
    }

    /// - Parameter state: what stands, for the refusal.
    func require(_ tag: String?, state: String) throws(Failure) {
        guard holds(tag) else {
            throw Failure(
                .preconditionFailed,
                "\(state), which is not what If-Match or If-None-Match expects. Nothing was written: read it again, "
                    + "apply the edit and send it with the ETag you got.")
        }
    }
}
