import QuickActions

extension Archive {
    static let format = "longpress-export"
    static let schema: Int64 = 1

    /// The document of an export. Apps, releases, sets, drafts and revisions stand in an order of their own and each member
    /// on a line of its own: two exports differ where the content does, and nowhere else.
    package var json: JSON {
        .object([
            JSON.Member("format", .string(Self.format)), JSON.Member("schema", .integer(Self.schema)),
            JSON.Member("apps", .array(apps.map(\.json))), JSON.Member("deletedApps", .array(deletedApps.map(\.json))),
        ])
    }

    /// What an import brings, in numbers.
    package var summary: JSON {
        .array(
            apps.map { app in
                .object([
                    JSON.Member("app", .string(app.app.id.description)),
                    JSON.Member("releases", .integer(Int64(app.releases.count))),
                    JSON.Member("sets", .integer(Int64(app.sets.count))),
                    JSON.Member("drafts", .integer(Int64(app.drafts.count))),
                    JSON.Member("revisions", .integer(Int64(app.history.revisions.count))),
                    JSON.Member("lastRevision", .integer(app.history.lastRevision)),
                ])
            })
    }
}

extension ArchivedApp {
    fileprivate var json: JSON {
        app.json
            .adding("lastRevision", .integer(history.lastRevision))
            .adding("releases", .array(releases.map(\.json)))
            .adding("sets", .array(sets.map(\.reference)))
            .adding("drafts", .array(drafts.map(\.json)))
            .adding("revisions", .array(history.revisions.map(\.json)))
    }
}

extension RevisionHistory {
    fileprivate var json: JSON {
        .object([
            JSON.Member("app", .string(app.description)), JSON.Member("lastRevision", .integer(lastRevision)),
            JSON.Member("revisions", .array(revisions.map(\.json))),
        ])
    }
}

extension Revision {
    /// Where it stands.
    fileprivate var reference: JSON {
        .object([
            JSON.Member("version", .string(version.description)), JSON.Member("audience", .string(audience.description)),
            JSON.Member("revision", .integer(number)),
        ])
    }
}

extension Draft {
    fileprivate var json: JSON {
        .object([
            JSON.Member("version", .string(version.description)), JSON.Member("audience", .string(audience.description)),
            JSON.Member("savedAt", .string(savedAt.description)), JSON.Member("savedBy", .string(savedBy)),
            JSON.Member("at", .optional(schedule?.at.description)), JSON.Member("scheduledBy", .optional(schedule?.by)),
            JSON.Member("set", set.json),
        ])
    }
}
