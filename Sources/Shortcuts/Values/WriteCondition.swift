/// The preconditions `If-Match` and `If-None-Match` of a write (RFC 9110 section 13.1). If one is false, nothing is written (412).
package struct WriteCondition: Sendable {
    /// Evaluates a field for the opaque part of the resource's entity tag, or for nil if the resource does not exist. A set's tag is its
    /// revision.
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

    /// A copy whose `If-Match` also accepts `other`.
    package func matching(_ other: String) -> WriteCondition {
        let (ifMatch, ifNoneMatch) = (ifMatch, ifNoneMatch)
        return WriteCondition(ifMatch: { ifMatch($0) || ifMatch(other) }, ifNoneMatch: ifNoneMatch)
    }
}

/// Each function throws `preconditionFailed`, with the current state in the detail.
extension WriteCondition {
    package func require(_ previous: PublishedSet?) throws(Failure) {
        let state = previous.map { "The set is at revision \($0.revision)" } ?? "The set does not exist"
        try require((previous?.revision).map(String.init), state: state)
    }

    /// For a change of the set's candidate. The condition may name the revision of either.
    package func require(_ set: PublishedSet, or candidate: Candidate) throws(Failure) {
        try matching(String(candidate.revision)).require(
            String(set.revision), state: "The candidate is at revision \(candidate.revision), and the set at revision \(set.revision)")
    }

    package func require(_ previous: App?) throws(Failure) {
        try require(previous?.tag, state: previous.map { "The app's ETag is \"\($0.tag)\"" } ?? "The app does not exist")
    }

    package func require(_ previous: Release?) throws(Failure) {
        try require(previous?.tag, state: previous.map { "The release's ETag is \"\($0.tag)\"" } ?? "The release does not exist")
    }

    /// - Parameter state: a clause that describes the current state.
    package func require(_ tag: String?, state: String) throws(Failure) {
        guard holds(tag) else {
            throw Failure(
                .preconditionFailed,
                "\(state), which does not match If-Match or If-None-Match. Nothing was written. Read it again, apply your edit, and send "
                    + "it with the new ETag.")
        }
    }
}
