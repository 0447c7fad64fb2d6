import QuickActions
import Shortcuts
import Testing

@testable import Storage
@testable import StoragePostgres
@testable import StorageSQLite

@Suite(.eachEngine, .namingEngine) struct ScheduleMigrationTests {
    /// The tables before the seventh migration, with two drafts.
    private static let previous = [
        "DROP TABLE schedule", "DROP TABLE drafts", "DROP TABLE sessions", "DROP TABLE applied_documents",
        "ALTER TABLE apps DROP COLUMN approvals", "ALTER TABLE apps DROP COLUMN languages", "ALTER TABLE apps DROP COLUMN icon",
        "DROP TABLE app_icons", "DROP TABLE tap_days", "DROP TABLE rollout_taps", "ALTER TABLE rollouts DROP COLUMN guard_lost",
        "ALTER TABLE rollouts DROP COLUMN guard_worse", "ALTER TABLE rollouts DROP COLUMN shares",
        "ALTER TABLE audit DROP COLUMN detail", "DROP TABLE former_tokens", "ALTER TABLE tokens DROP COLUMN owner",
        "ALTER TABLE tokens DROP COLUMN created_by", "DROP INDEX audit_by_token_id", "ALTER TABLE audit DROP COLUMN token_id",
        "ALTER TABLE audit DROP COLUMN owner", "ALTER TABLE audit DROP COLUMN role", "ALTER TABLE audit DROP COLUMN session",
        "ALTER TABLE revisions DROP COLUMN imported_by", "ALTER TABLE revisions DROP COLUMN imported_at",
        "ALTER TABLE revisions DROP COLUMN message",
        "DROP INDEX deliveries_quarantined", "ALTER TABLE deliveries DROP COLUMN quarantined_at",
    ]

    @Test func `a draft that had a time is an entry of the schedule, and fires in its author's name`() throws {
        let bench = try Workbench()
        let (store, app) = (bench.store, try bench.store.makeApp())
        let migrations = bench.engine == .sqlite ? SQLiteDatabase.migrations : PostgresDatabase.migrations
        let drafts = try #require(migrations.first { $0.version == 2 })
        let schedule = try #require(migrations.first { $0.version == 7 })
        let sessions = try #require(migrations.first { $0.version == 9 })
        let base = try #require(migrations.first { $0.version == 10 })
        let quarantine = try #require(migrations.first { $0.name == "quarantine" })
        let people = try #require(migrations.first { $0.name == "people" })
        let applied = try #require(migrations.first { $0.name == "applied_documents" })
        let messages = try #require(migrations.first { $0.name == "messages" })
        let console = try #require(migrations.first { $0.name == "console" })
        let rollouts = try #require(migrations.first { $0.name == "rollout_steps" })
        try store.database.write { connection throws(Failure) in
            for statement in Self.previous { try connection.execute(statement, []) }
            try connection.run(script: String(decoding: drafts.script, as: UTF8.self))
            try connection.insertDraft("1.0.0", "early", of: app, at: nil, order: nil)
            try connection.insertDraft("2.0.0", "second", of: app, at: 5000, order: 2)
            try connection.insertDraft("3.0.0", "first", of: app, at: 5000, order: 1)
            // Later migrations that change drafts or the schedule.
            for migration in [schedule, sessions, base, quarantine, people, applied, messages, console, rollouts] {
                try connection.run(script: String(decoding: migration.script, as: UTF8.self))
            }
        }
        let kept = try store.drafts(of: app, PageRequest()).items
        #expect(kept.map(\.version.description) == ["1.0.0"] && kept.first?.editorIDs == [] && kept.first?.savedBy == "ana")
        let entries = try store.schedule(of: app, PageRequest()).items
        #expect(entries.map(\.version.description) == ["3.0.0", "2.0.0"] && Set(entries.map(\.id)).count == 2)
        #expect(entries.allSatisfy { $0.kind == .publish && $0.at == 5000 && $0.author.token == "eve" })
        while try store.fireNextDue(at: 5000) != nil {}
        #expect(try store.revisions(of: app, PageRequest()).items.map { "\($0.version) \($0.by)" } == ["2.0.0 eve", "3.0.0 eve"])
        // Only the name of one editor is known, and names are not compared.
        for name in ["ana", "ben"] {
            #expect(failureCode { _ = try approve(kept[0], of: app, by: name, in: store) } == .forbidden)
        }
    }

    private func approve(_ draft: Draft, of app: AppID, by name: String, in store: Store) throws -> Int {
        let change = DraftChange(version: draft.version, audience: draft.audience, writeCondition: .none)
        return try store.approveDraft(change, of: app, by: author(at: 6000, name)).given
    }
}

extension SQLConnection {
    /// Inserts a draft as the older program did.
    fileprivate func insertDraft(_ text: String, _ id: String, of app: AppID, at time: Int64?, order: Int64?) throws(Failure) {
        let document = #"{"items":[{"id":"\#(id)","type":"t","title":{"en":"T"}}]}"#
        let position = text.split(separator: ".").map { String(repeating: "0", count: 17) + $0 }.joined(separator: ".")
        let author: SQLValue = time == nil ? .null : .text("eve")
        try execute(
            """
            INSERT INTO drafts (app, audience, position, version, tag, document, saved_at, saved_by, publish_at, schedule_order,
                scheduled_by, scheduled_from, scheduled_request)
            VALUES (?, 'default', ?, ?, ?, ?, 1000, 'ana', ?, ?, ?, ?, ?)
            """,
            [
                .text(app.description), .text(position), .text(text), .text("draft-\(id)"), .text(document),
                time.map { .integer($0) } ?? .null, order.map { .integer($0) } ?? .null, author, author, author,
            ])
    }
}
