import QuickActions

extension ApplyPlan {
    /// The answer to an apply.
    package func json(isDryRun: Bool) -> JSON {
        let apps = apps.map { app in
            JSON.Member(
                Text(app.id.description),
                [
                    "revision": .integer(isDryRun ? app.formerRevision : app.revision), "changes": .array(app.changes),
                    "drafts": app.savesDrafts ? true : nil,
                ])
        }
        return ["apps": .object(apps), "applied": isDryRun ? false : savesDrafts ? "drafts" : true]
    }

    /// What the audit log lists: each change without its content.
    package var auditedChanges: [JSON] {
        apps.flatMap { app in
            app.auditedChanges.map { change in JSON.object([JSON.Member("app", .string(app.id))]).adding(membersOf: change) }
        }
    }
}

extension AppPlan {
    fileprivate var changes: [JSON] {
        let fields = SetDifference.fields(from: former?.app.json, to: after.app.json, without: ["app"])
        return (changesApp ? [appSubject.adding("fields", fields.json)] : []) + releases.map(\.json) + sets.map(\.json)
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

    fileprivate var json: JSON {
        subject.adding("fields", SetDifference.fields(from: previous?.json, to: release.json, without: ["version", "build"]).json)
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

    fileprivate var json: JSON {
        subject.adding("difference", SetDifference(from: previous?.set, to: revision.set).json)
            .adding("warnings", .array(warnings.map(\.json)))
            .adding(membersOf: ["published": published.map(JSON.integer)])
    }
}
