import QuickActions

extension ApplyPlan {
    /// The answer to an apply. Changes after `detailLimit` bytes are listed without their details, and `leftOut` counts them.
    package func json(isDryRun: Bool) -> JSON {
        var room = Self.detailLimit
        var leftOut: Int64 = 0
        var listed: [JSON.Member] = []
        for app in apps {
            var changes: [JSON] = []
            for change in app.changes {
                let details = room > 0 ? change.details() : [:]
                room -= room > 0 ? details.encoded.count : 0
                changes.append(room > 0 ? change.subject.adding(membersOf: details) : change.subject)
                leftOut += room > 0 ? 0 : 1
            }
            listed.append(
                JSON.Member(
                    Text(app.id.description),
                    [
                        "revision": .integer(isDryRun ? app.formerRevision : app.revision), "changes": .array(changes),
                        "drafts": app.savesDrafts ? true : nil,
                    ]))
        }
        return [
            "apps": .object(listed), "applied": isDryRun ? false : savesDrafts ? "drafts" : true,
            "leftOut": leftOut > 0 ? .integer(leftOut) : nil,
        ]
    }

    /// The changes for the audit log, without their content.
    package var auditedChanges: [JSON] {
        apps.flatMap { app in
            app.auditedChanges.map { change in JSON.object([JSON.Member("app", .string(app.id))]).adding(membersOf: change) }
        }
    }
}

extension AppPlan {
    fileprivate typealias Change = (subject: JSON, details: () -> JSON)

    /// The changes, each with its difference and warnings, which may be large.
    fileprivate var changes: [Change] {
        let app: Change = (appSubject, { fieldsJSON(SetDifference.fields(from: former?.app.json, to: after.app.json, without: ["app"])) })
        let releases: [Change] = releases.map { ($0.subject, $0.details) }
        let sets: [Change] = sets.map { ($0.subject.adding(membersOf: ["published": $0.published.map(JSON.integer)]), $0.details) }
        return (changesApp ? [app] : []) + releases + sets
    }

    fileprivate var auditedChanges: [JSON] {
        (changesApp ? [appSubject] : []) + releases.map(\.subject)
            + sets.map { savesDrafts ? $0.draftSubject : $0.subject.adding("revision", .integer($0.revision.number)) }
    }

    private var appSubject: JSON { ["kind": "app", "action": former == nil ? "create" : "update"] }
}

extension AppPlan.ReleaseChange {
    fileprivate var subject: JSON {
        ["kind": "release", "version": .string(release.id), "action": previous == nil ? "create" : "update"]
    }

    fileprivate func details() -> JSON {
        fieldsJSON(SetDifference.fields(from: previous?.json, to: release.json, without: ["version", "build"]))
            .adding(membersOf: effect.json)
    }
}

extension AppPlan.SetChange {
    fileprivate var subject: JSON {
        let action = revision.set == nil ? "delete" : previous == nil ? "create" : "update"
        return [
            "kind": "set", "version": .string(revision.version), "audience": .string(revision.audience), "action": .string(action),
        ]
    }

    fileprivate var draftSubject: JSON {
        ["kind": "draft", "version": .string(revision.version), "audience": .string(revision.audience), "action": "save"]
    }

    fileprivate func details() -> JSON {
        ["difference": SetDifference(from: previous?.set, to: revision.set).json, "warnings": .array(warnings.map(\.json))]
    }
}

private func fieldsJSON(_ fields: [SetDifference.FieldChange]) -> JSON { ["fields": fields.json] }
