import QuickActions

/// The key of a set or draft within its app: the version at which it begins, and the audience. Ordered by audience, then version.
struct SetKey: Hashable, Comparable, CustomStringConvertible {
    let version: AppVersion
    let audience: Audience

    var description: String { "version \(version) and audience \(audience)" }

    static func < (left: SetKey, right: SetKey) -> Bool {
        (left.audience, left.version) < (right.audience, right.version)
    }
}

extension SetKey {
    init(_ revision: Revision) {
        self.init(version: revision.version, audience: revision.audience)
    }

    init(_ draft: Draft) {
        self.init(version: draft.version, audience: draft.audience)
    }

    /// Reads the members `version` and `audience`.
    init?(_ document: CheckedObject) {
        let version = document.required("version", document.checker.version)
        let audience = document.required("audience", document.checker.audience)
        guard let version, let audience else { return nil }
        self.init(version: version, audience: audience)
    }
}
