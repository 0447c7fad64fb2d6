import QuickActions

/// The members `version` and `audience`: a place in an app's timelines.
struct ArchivedPlace: Hashable, Comparable, CustomStringConvertible {
    let version: AppVersion
    let audience: Audience

    init(version: AppVersion, audience: Audience) {
        (self.version, self.audience) = (version, audience)
    }

    init(_ revision: Revision) {
        (version, audience) = (revision.version, revision.audience)
    }

    init(_ draft: Draft) {
        (version, audience) = (draft.version, draft.audience)
    }

    init?(_ document: CheckedObject) {
        let version = document.required("version", document.checker.version)
        let audience = document.required("audience", document.checker.audience)
        guard let version, let audience else { return nil }
        (self.version, self.audience) = (version, audience)
    }

    var description: String { "version \(version) and audience \(audience)" }

    static func < (left: ArchivedPlace, right: ArchivedPlace) -> Bool {
        (left.audience, left.version) < (right.audience, right.version)
    }
}
