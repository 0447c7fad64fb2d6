import QuickActions

extension ApplyPlan {
    /// The answer to an apply.
    package func json(isDryRun: Bool) -> JSON {
        let apps = apps.map { app in
            JSON.Member(
                Text(app.id.description),
                [
                    "revision": .integer(isDryRun ? app.formerRevision : app.revision),
                    "changes": .array(app.changes.map(\.json)),
                ])
        }
        return ["apps": .object(apps), "applied": isDryRun ? false : savesDrafts ? "drafts" : true]
    }

    /// What the audit log lists: each change without its content.
    package var auditedChanges: [JSON] {
        apps.flatMap { app in
            app.changes.map { change in JSON.object([JSON.Member("app", .string(app.id))]).adding(membersOf: change.subject) }
        }
    }
}

extension AppPlan {
    fileprivate struct Change {
        /// `kind`, `version` and `audience` where it has them, `action`.
        let subject: JSON
        let content: JSON

        var json: JSON { subject.adding(membersOf: content) }
    }

    fileprivate var changes: [Change] {
        (changesApp ? [appChange] : []) + releases.map(\.change) + sets.map { $0.change(isDraft: savesDrafts) }
    }

    private var appChange: Change {
        Change(
            subject: ["kind": "app", "action": former == nil ? "create" : "update"],
            content: ["fields": SetDifference.fields(from: former?.app.json, to: after.app.json, without: ["app"]).json])
    }
}

extension AppPlan.ReleaseChange {
    fileprivate var change: AppPlan.Change {
        let fields = SetDifference.fields(from: previous?.json, to: release.json, without: ["version", "build"])
        return AppPlan.Change(
            subject: ["kind": "release", "version": .string(release.id), "action": previous == nil ? "create" : "update"],
            content: ["fields": fields.json])
    }
}

extension AppPlan.SetChange {
    fileprivate func change(isDraft: Bool) -> AppPlan.Change {
        let action = revision.set == nil ? "delete" : previous == nil ? "create" : "update"
        return AppPlan.Change(
            subject: [
                "kind": "set", "version": .string(revision.version), "audience": .string(revision.audience), "action": .string(action),
            ],
            content: [
                "difference": SetDifference(from: previous?.set, to: revision.set).json, "warnings": .array(warnings.map(\.json)),
            ])
    }
}
