import QuickActions
import Shortcuts
import Testing

@testable import Storage

@Suite struct CopyTests {
    /// Writes every kind of row.
    private func fill(_ store: Store) throws -> AppID {
        let app = try store.makeApp()
        try store.createEndpoint(endpoint("e1"), by: author(at: 1))
        _ = try store.putRelease(try release("1.0.0", statics: 1), keepsAssets: false, of: app, by: author(at: 2), expecting: .none)
        for number in 1...3 {
            try store.publish(try shortcutSet("a", title: "T\(number)"), "1.0.0", of: app, at: Timestamp(milliseconds: 10))
        }
        try store.publish(nil, "1.0.0", of: app, at: 11)
        try store.publish(try shortcutSet("b"), "2.0.0", of: app, audience: try #require(Audience("beta")), at: 12)
        let kind = TapKind(app: app, item: nil, tagVersion: nil, version: try version("1.0.0"), outcome: .untagged)
        try store.add(TapBatch(writer: "w", number: 1, counts: [HourlyTaps(kind, at: 5): 3]))
        _ = try store.add(try report(of: app, in: store), atMost: 1)
        try store.database.write { connection throws(Failure) in
            _ = try connection.execute(
                "INSERT INTO tap_counts (app, hour, item, tag_version, version, outcome, count) VALUES (?, 0, '', '', '', 'static', 2)",
                [SQLValue(app)])
        }
        return app
    }

    /// A batch of three taps.
    private func report(of app: AppID, in store: Store) throws -> TapReport {
        let text = """
            {"batch": "3f2504e0-4f89-41d3-9a0c-0305e82c3301", "counts": [{"item": "a", "type": "t", "outcome": "current", "count": 3}]}
            """
        let snapshot = try #require(try store.snapshot(of: app))
        return try TapReportDocument(try JSON(document: Array(text.utf8))).report(from: try version("1.0.0"), in: snapshot)
    }

    private func everything(in store: Store) throws -> [String: [[SQLValue]]] {
        try store.database.read { connection throws(Failure) in
            var rows: [String: [[SQLValue]]] = [:]
            for table in CopiedTable.all {
                try connection.forEachBatch(of: table, limit: 2) { rows[table.name, default: []] += $0 }
            }
            return rows
        }
    }

    @Test(arguments: Engine.allCases, Engine.allCases) func aCopyHasEveryRow(from one: Engine, to other: Engine) throws {
        let (source, target) = (try Workbench(on: one), try Workbench(on: other))
        let app = try fill(source.store)
        let report = try StoreCopy.copy(from: source.store.database, to: target.store.database, targetName: "target", at: 100)
        #expect(try everything(in: target.store) == everything(in: source.store))
        #expect(report.newest?.app == app && report.newest?.revision == 5)
        #expect(report.tables.first { $0.name == "revisions" }?.rows == 5)
        // A client goes on with its batch where the source stopped.
        let progress = try target.store.add(try self.report(of: app, in: target.store), atMost: 100)
        #expect(progress == TapReport.Progress(added: 2, left: 0))
        // Numbering continues after the copied rows.
        try target.store.publish(try shortcutSet("c"), "1.0.0", of: app)
        #expect(try target.store.revisions(of: app, PageRequest(limit: 1)).items.map(\.number) == [6])
    }

    @Test(arguments: Engine.allCases) func aTargetThatHoldsSomethingIsRefused(on engine: Engine) throws {
        let (source, target) = (try Workbench(), try Workbench(on: engine))
        _ = try fill(source.store)
        try target.store.makeApp("com.example.other")
        let before = try everything(in: target.store)
        #expect(throws: Failure.self) {
            _ = try StoreCopy.copy(from: source.store.database, to: target.store.database, targetName: "target", at: 100)
        }
        #expect(try everything(in: target.store) == before)
    }

    @Test(arguments: Engine.allCases) func whatWasUnderWayIsDue(on engine: Engine) throws {
        let (source, target) = (try Workbench(on: engine), try Workbench(on: engine))
        _ = try fill(source.store)
        let claimed = try #require(try source.store.claimDue(at: 50, limit: 1, perEndpoint: 1, lease: 1000).first)
        _ = try source.store.resend(claimed.id, by: author(at: 60))
        _ = try StoreCopy.copy(from: source.store.database, to: target.store.database, targetName: "target", at: 100)
        #expect(try target.store.count("deliveries", where: "lease_token IS NOT NULL OR resend_again = 1") == 0)
        #expect(try target.store.claimDue(at: 100, limit: 100, perEndpoint: 100, lease: 1000).contains { $0.id == claimed.id })
    }

    @Test("each column of the schema is copied or left out on purpose", arguments: Engine.allCases)
    func noColumnIsForgotten(on engine: Engine) throws {
        let left = [
            "schema_migrations", "nodes", "tap_writers", "sqlite_sequence", "changes", "change_counter", "stream_journal", "sessions",
            "preview_links",
        ]
        let store = try Workbench(on: engine).store
        let columns =
            switch engine {
            case .sqlite:
                "SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' ORDER BY m.name, c.cid"
            case .postgres:
                """
                SELECT CAST(table_name AS TEXT), CAST(column_name AS TEXT) FROM information_schema.columns
                WHERE table_schema = current_schema() ORDER BY table_name, ordinal_position
                """
            }
        let schema = try store.database.read { connection throws(Failure) in
            try connection.rows(columns, []) { row throws(Failure) in (table: try row.text(), column: try row.text()) }
        }
        #expect(schema.count > 50)
        let copied = Set(CopiedTable.all.flatMap { table in table.allColumns.map { "\(table.name).\($0)" } })
        let excluded = Set(CopiedTable.leaseColumns.flatMap { table, columns in columns.map { "\(table).\($0)" } })
        let forgotten = schema.filter { !left.contains($0.table) }.map { "\($0.table).\($0.column)" }
            .filter { !copied.contains($0) && !excluded.contains($0) }
        #expect(forgotten == [])
    }
}
