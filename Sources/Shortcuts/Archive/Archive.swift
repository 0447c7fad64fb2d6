import Foundation
import QuickActions

/// The content of an export: everything that editors made, of all apps or of some. It does not contain tokens, webhooks, secrets, the audit
/// or the statistics.
package struct Archive: Sendable {
    /// Ascending by id.
    package let apps: [ArchivedApp]
    /// The revisions of deleted apps, ascending by id. They are stored because tags on devices contain their numbers, which must never be
    /// given again.
    package let deletedApps: [RevisionHistory]

    package var ids: [AppID] { apps.map(\.app.id) + deletedApps.map(\.app) }
}

/// An app with its releases, sets, drafts, schedule and revisions.
package struct ArchivedApp: Sendable {
    package let app: App
    /// In `AppBuild.releaseOrder`.
    package let releases: [Release]
    /// The revisions that are published now, ascending by audience and version.
    package let sets: [Revision]
    /// The running candidates, by their sets.
    package let candidates: [SetName: Candidate]
    /// Ascending by audience and version.
    package let drafts: [Draft]
    /// Ordered by time.
    package let schedule: [ScheduleEntry]
    package let history: RevisionHistory
    /// What git last sent; nil if no apply recorded it.
    package let applied: AppliedDocuments?
    package let icon: AppIcon?

    package init(
        app: App, releases: [Release], sets: [Revision], candidates: [SetName: Candidate], drafts: [Draft], schedule: [ScheduleEntry],
        history: RevisionHistory, applied: AppliedDocuments?, icon: AppIcon? = nil
    ) {
        self.candidates = candidates
        self.app = app
        self.releases = releases
        self.sets = sets
        self.drafts = drafts
        self.schedule = schedule
        self.history = history
        self.applied = applied
        self.icon = icon
    }

    /// What the app holds, for its quota.
    package var use: AppQuota.Use {
        var use = snapshot.use
        (use.drafts, use.scheduled) = (drafts.count, schedule.count)
        let planned = schedule.reduce(0) { $0 + ($1.kind == .publish ? $1.set?.estimatedSize ?? 0 : 0) }
        use.preparedBytes = drafts.reduce(planned) { $0 + $1.estimatedSize }
        return use
    }

    package var snapshot: AppSnapshot {
        let timelines = Dictionary(grouping: sets, by: \.audience).map { audience, revisions in
            let sets = revisions.compactMap { revision in
                PublishedSet(revision).map { set -> PublishedSet in
                    var set = set
                    set.candidate = candidates[SetName(revision)]
                    return set
                }
            }
            return (audience, Timeline(audience: audience, sets: sets))
        }
        return AppSnapshot(
            app: app, timelines: Dictionary(uniqueKeysWithValues: timelines), releases: releases,
            nextPublish: schedule.map(\.at).min(), lastRevision: history.lastRevision)
    }
}

/// Every revision of an app id, including those from before the app was deleted and created again.
package struct RevisionHistory: Sendable {
    /// The greatest number that an import may have. JSON readers with doubles are exact up to 2^53 (RFC 8259 section 6), which leaves room
    /// for all later revisions.
    package static let greatestNumber: Int64 = 1_000_000_000_000_000

    package let app: AppID
    /// The last number that was given. It may be above the last stored revision.
    package let lastRevision: Int64
    /// Ascending by number.
    package let revisions: [Revision]

    package init(app: AppID, lastRevision: Int64, revisions: [Revision]) {
        self.app = app
        self.lastRevision = lastRevision
        self.revisions = revisions
    }
}

extension Archive {
    static let format = "longpress-export"
    static let schema: Int64 = 4
    /// The schemas that an import reads. In schema 1, a draft could have the time at which it is published, and there were no approvals.
    /// Before schema 3, there was no `applied` and no `message`; before schema 4, no `languages`, no `icon` and no `incomplete`.
    static let readableSchemas: ClosedRange<Int64> = 1...4

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
        JSON.object(app.adding(languagesOf: sets.compactMap(\.set)).json.members.filter { $0.name != "icon" })
            .adding("icon", icon.map { .string(Text(Data($0.png).base64EncodedString())) } ?? .null)
            .adding("lastRevision", .integer(history.lastRevision))
            .adding("releases", .array(releases.map(\.json)))
            .adding("sets", .array(sets.map(\.reference)))
            .adding("drafts", .array(drafts.map(\.json)))
            .adding("schedule", .array(schedule.map(\.archived)))
            .adding("revisions", .array(history.revisions.map(\.archived)))
            .adding(membersOf: ["applied": applied?.json, "candidates": candidates.isEmpty ? nil : .array(running)])
    }
}

extension ArchivedApp {
    /// The content of each candidate is among the revisions.
    fileprivate var running: [JSON] {
        candidates.sorted { $0.key < $1.key }.map { name, candidate in
            [
                "version": .string(name.version), "audience": .string(name.audience), "revision": .integer(candidate.revision),
                "id": .string(candidate.rollout), "share": candidate.share.percent, "guard": candidate.guard?.json,
            ]
        }
    }
}

extension AppliedDocuments {
    fileprivate var json: JSON {
        let sets = sets.sorted { $0.key < $1.key }.map { JSON.Member(Text($0.key.description), $0.value.json) }
        return ["app": app, "sets": .object(sets)]
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
            "set": set.json, "applied": applied?.json, "incomplete": incomplete,
        ]
    }
}

extension ScheduleEntry {
    /// The members for the entry's kind. The content of a restore is among the revisions.
    fileprivate var archived: JSON {
        let entry: JSON = [
            "id": .string(id), "at": .string(at), "kind": .string(kind.rawValue), "version": .string(version),
            "audience": .string(audience), "scheduledAt": .string(author.at), "scheduledBy": .string(author.token),
            "message": message.map { .string($0) },
        ]
        return entry.adding(membersOf: revertMembers).adding(membersOf: rolloutMembers).adding(membersOf: contentMembers)
    }

    private var contentMembers: JSON {
        switch action {
        case .publish(let draft, _):
            ["savedAt": .string(draft.savedAt), "savedBy": .string(draft.savedBy), "set": draft.set.json, "applied": draft.applied?.json]
        case .restore(let content): ["revision": content.map { .integer($0.revision) }]
        case .delete, .rollout: [:]
        }
    }
}
