/// Conditional requests (RFC 9110 13.1).
package enum Precondition: Sendable {
    package enum Verdict: Sendable {
        /// The request lacks the field.
        case absent
        case holds
        /// 412, or 304 for `If-None-Match` on GET and HEAD.
        case fails
        /// The field is not a list of entity tags.
        case malformed

        /// Whether the request may be executed.
        package var allows: Bool { self == .absent || self == .holds }
    }

    /// `If-Match`, by strong comparison.
    /// - Parameter current: nil if there is no representation.
    package static func ifMatch(_ fields: Fields, current: EntityTag?) -> Verdict {
        evaluate(fields.combined("If-Match")) { list in
            switch list {
            case .any: current != nil
            case .tags(let tags): tags.contains { current?.stronglyEquals($0) ?? false }
            }
        }
    }

    /// `If-None-Match`, by weak comparison.
    /// - Parameter current: nil if there is no representation.
    package static func ifNoneMatch(_ fields: Fields, current: EntityTag?) -> Verdict {
        evaluate(fields.combined("If-None-Match")) { list in
            switch list {
            case .any: current == nil
            case .tags(let tags): !tags.contains { current?.weaklyEquals($0) ?? false }
            }
        }
    }

    private static func evaluate(_ value: String?, _ holds: (EntityTagList) -> Bool) -> Verdict {
        guard let value else { return .absent }
        guard let list = EntityTagList(value) else { return .malformed }
        return holds(list) ? .holds : .fails
    }
}
