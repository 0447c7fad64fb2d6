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

    init?(_ document: CheckedObject, _ checker: inout DocumentChecker) {
        let version = document.required("version", &checker) { checker, json, path in checker.version(json, at: path) }
        let audience = document.required("audience", &checker) { checker, json, path in checker.audience(json, at: path) }
        guard let version, let audience else { return nil }
        (self.version, self.audience) = (version, audience)
    }

    var description: String { "version \(version) and audience \(audience)" }

    static func < (left: ArchivedPlace, right: ArchivedPlace) -> Bool {
        (left.audience, left.version) < (right.audience, right.version)
    }
}
