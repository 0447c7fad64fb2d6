import QuickActions

extension Archive {
    static let format = "longpress-export"
    static let schema: Int64 = 2
    /// The schemas that an import reads. In schema 1, a draft could have the time at which it is published, and there were no approvals.
    static let readableSchemas: ClosedRange<Int64> = 1...2

    /// Writes the document of an export app by app, one member a line. Apps are ordered by id, so that exports with the same content are
    /// equal and `diff` shows only changes.
    package struct Writer {
        private let write: ([UInt8]) throws(Failure) -> Void
        private var isFirst = true

        /// - Parameters:
        ///   - write: takes the document's next bytes.
        ///   - body: adds the apps, then calls `beginDeletedApps`, then adds those.
        package static func write(
            to write: @escaping ([UInt8]) throws(Failure) -> Void, _ body: (inout Writer) throws(Failure) -> Void
        ) throws(Failure) {
            var writer = Writer(write: write)
            try writer.text("{\n  \"format\": \"\(format)\",\n  \"schema\": \(schema),\n  \"apps\": [")
            try body(&writer)
            try writer.text(writer.isFirst ? "]\n}\n" : "\n  ]\n}\n")
        }

        package mutating func add(_ app: ArchivedApp) throws(Failure) { try add(app.json) }

        package mutating func beginDeletedApps() throws(Failure) {
            try text((isFirst ? "]" : "\n  ]") + ",\n  \"deletedApps\": [")
            isFirst = true
        }

        package mutating func add(_ history: RevisionHistory) throws(Failure) { try add(history.json) }

        private mutating func add(_ json: JSON) throws(Failure) {
            var bytes = Array((isFirst ? "\n    " : ",\n    ").utf8)
            json.append(to: &bytes, depth: 2)
            try write(bytes)
            isFirst = false
        }

        private func text(_ text: String) throws(Failure) { try write(Array(text.utf8)) }
    }

    /// The counts of what an import contains, by app.
    package var summary: JSON {
        .array(
            apps.map { app in
                [
                    "app": .string(app.app.id), "releases": .integer(Int64(app.releases.count)), "sets": .integer(Int64(app.sets.count)),
                    "drafts": .integer(Int64(app.drafts.count)), "schedule": .integer(Int64(app.schedule.count)),
                    "revisions": .integer(Int64(app.history.revisions.count)),
                    "lastRevision": .integer(app.history.lastRevision), "warnings": .array(app.displayWarnings.map(\.json)),
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
            .adding("schedule", .array(schedule.map(\.archived)))
            .adding("revisions", .array(history.revisions.map(\.archived)))
    }
}

extension RevisionHistory {
    fileprivate var json: JSON {
        ["app": .string(app), "lastRevision": .integer(lastRevision), "revisions": .array(revisions.map(\.archived))]
    }
}

extension Revision {
    /// Without `importedBy`: an import sets it.
    fileprivate var archived: JSON {
        var revision = self
        (revision.importedBy, revision.importedAt) = (nil, nil)
        return revision.json
    }

    /// The version and audience at which the revision is published, and its number.
    fileprivate var reference: JSON {
        ["version": .string(version), "audience": .string(audience), "revision": .integer(number)]
    }
}

extension Draft {
    /// Without editors and approvals, which an import would not trust.
    fileprivate var json: JSON {
        [
            "version": .string(version), "audience": .string(audience), "savedAt": .string(savedAt), "savedBy": .string(savedBy),
            "set": set.json,
        ]
    }
}

extension ScheduleEntry {
    /// The members for the entry's kind. The content of a restore is among the revisions.
    fileprivate var archived: JSON {
        let entry: JSON = [
            "id": .string(id), "at": .string(at), "kind": .string(kind.rawValue), "version": .string(version),
            "audience": .string(audience), "scheduledAt": .string(author.at), "scheduledBy": .string(author.token),
        ]
        return entry.adding(membersOf: wayBackMembers).adding(membersOf: contentMembers)
    }

    private var wayBackMembers: JSON {
        switch wayBack {
        case .after(let publish)?: ["follows": .string(publish)]
        case .from(let revision)?: ["expectedRevision": .integer(revision)]
        case nil: [:]
        }
    }

    private var contentMembers: JSON {
        switch action {
        case .publish(let draft, _):
            ["savedAt": .string(draft.savedAt), "savedBy": .string(draft.savedBy), "set": draft.set.json]
        case .restore(let content): ["revision": content.map { .integer($0.revision) }]
        case .delete: [:]
        }
    }
}
