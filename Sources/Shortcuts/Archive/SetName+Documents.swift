import QuickActions

extension SetName {
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
