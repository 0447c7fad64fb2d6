import QuickActions

extension Archive {
    static let format = "longpress-export"
    static let schema: Int64 = 1

    /// The document of an export. Its arrays are sorted, so that exports with the same content are equal and `diff` shows changes only.
    package var json: JSON {
        [
            "format": .string(Self.format), "schema": .integer(Self.schema), "apps": .array(apps.map(\.json)),
            "deletedApps": .array(deletedApps.map(\.json)),
        ]
    }

    /// The counts of what an import contains, by app.
    package var summary: JSON {
        .array(
            apps.map { app in
                [
                    "app": .string(app.app.id), "releases": .integer(Int64(app.releases.count)), "sets": .integer(Int64(app.sets.count)),
                    "drafts": .integer(Int64(app.drafts.count)), "revisions": .integer(Int64(app.history.revisions.count)),
                    "lastRevision": .integer(app.history.lastRevision),
                ]
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
        ["app": .string(app), "lastRevision": .integer(lastRevision), "revisions": .array(revisions.map(\.json))]
    }
}

extension Revision {
    /// The version and audience at which the revision is published, and its number.
    fileprivate var reference: JSON {
        ["version": .string(version), "audience": .string(audience), "revision": .integer(number)]
    }
}

extension Draft {
    fileprivate var json: JSON {
        [
            "version": .string(version), "audience": .string(audience), "savedAt": .string(savedAt), "savedBy": .string(savedBy),
            "at": .optional(schedule?.at.description), "scheduledBy": .optional(schedule?.by), "set": set.json,
        ]
    }
}
