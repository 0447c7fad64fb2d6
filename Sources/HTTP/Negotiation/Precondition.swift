/// Conditional requests (RFC 9110 13.1).
package enum Precondition: Sendable {
    package enum Verdict: Sendable {
        /// The request has no such field.
        case absent
        case holds
        /// 412; for `If-None-Match` on GET and HEAD 304.
        case fails
        /// The field is there and is no list of entity tags.
        case malformed
    }

    /// `If-Match`, compared strongly. `current` is nil where there is no representation.
    package static func ifMatch(_ fields: Fields, current: EntityTag?) -> Verdict {
        judge(fields.combined("If-Match")) { list in
            switch list {
            case .any: current != nil
            case .tags(let tags): tags.contains { current?.stronglyEquals($0) ?? false }
            }
        }
    }

    /// `If-None-Match`, compared weakly. `current` is nil where there is no representation.
    package static func ifNoneMatch(_ fields: Fields, current: EntityTag?) -> Verdict {
        judge(fields.combined("If-None-Match")) { list in
            switch list {
            case .any: current == nil
            case .tags(let tags): !tags.contains { current?.weaklyEquals($0) ?? false }
            }
        }
    }

    private static func judge(_ value: String?, _ holds: (EntityTagList) -> Bool) -> Verdict {
        guard let value else { return .absent }
        guard let list = EntityTagList(value) else { return .malformed }
        return holds(list) ? .holds : .fails
    }
}
