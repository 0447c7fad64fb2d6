import Foundation
import GRDB
import Shortcuts
import Testing

@testable import Storage
@testable import StorageSQLite

struct OpeningTests {
    @Test func `migrates an empty file and finds nothing to do the second time`() throws {
        let folder = try Workbench.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("store.sqlite").path
        #expect(try Self.open(path).applied == SQLiteDatabase.migrations.map(\.name))
        #expect(try Self.open(path).applied.isEmpty)
    }

    @Test func `a new file is for its owner's eyes only`() throws {
        let bench = try Workbench()
        let attributes = try FileManager.default.attributesOfItem(atPath: bench.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test(arguments: [("journal_mode", "wal"), ("synchronous", "2"), ("foreign_keys", "1"), ("busy_timeout", "5000")])
    func `writes with`(_ pragma: String, _ expected: String) throws {
        let bench = try Workbench()
        let found = try bench.store.database.write { connection throws(Failure) in
            try connection.first("PRAGMA \(pragma)", [], as: AnyText.self)
        }
        #expect(found?.text == expected)
    }

    @Test func `refuses a file from the future and leaves it as it was`() throws {
        let folder = try Workbench.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("store.sqlite").path
        try DatabaseQueue(path: path).write { database in
            try database.execute(
                sql: """
                    CREATE TABLE schema_migrations (version BIGINT PRIMARY KEY, name TEXT, applied_at BIGINT);
                    INSERT INTO schema_migrations VALUES (1, 'init', 0), (9999, 'future', 0)
                    """)
        }
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let refusal = try #require(throws: OpeningError.self) { try Workbench.open(path) }
        #expect(refusal.code == .newerDatabase)
        #expect(refusal.description.contains("9999"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["store.sqlite"])
    }

    @Test(arguments: [(6, true), (7, true), (5, false)] as [(Int64, Bool)])
    func `a newer migration says from which program on the database can still be used`(_ newest: Int64, _ isUsable: Bool) throws {
        let folder = try Workbench.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("store.sqlite").path
        let next = Migration(version: 90, name: "next", script: Array("-- compatible-with: 6\nCREATE TABLE next (id BIGINT);".utf8))
        #expect(next.compatibleWith == 6)
        let sixth = SQLiteDatabase.migrations.filter { $0.version <= 6 }
        _ = try Self.open(path, sixth + [next])
        let program = sixth.filter { $0.version <= newest } + (newest > 6 ? [Self.empty(newest)] : [])
        if isUsable {
            _ = try Self.open(path, program)
        } else {
            let refusal = #expect(throws: OpeningError.self) { try Self.open(path, program) }
            #expect(refusal?.code == .newerDatabase)
        }
    }

    private static func empty(_ version: Int64) -> Migration {
        Migration(version: version, name: "empty", script: Array("SELECT 1".utf8))
    }

    @Test func `a file of before the sixth migration is brought up to date`() throws {
        let folder = try Workbench.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("store.sqlite").path
        #expect(try Self.open(path, Array(SQLiteDatabase.migrations.prefix(5))).applied.count == 5)
        #expect(try Self.open(path).applied == SQLiteDatabase.migrations.dropFirst(5).map(\.name))
        let store = try Workbench.open(path)
        #expect(
            try store.count("schema_migrations", where: "compatible_with IS NULL")
                == SQLiteDatabase.migrations.count { $0.compatibleWith == nil })
    }

    @Test func `refuses the database of another program`() throws {
        let folder = try Workbench.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("store.sqlite").path
        try DatabaseQueue(path: path).write { database in try database.execute(sql: "CREATE TABLE songs (id)") }
        let refusal = try #require(throws: OpeningError.self) { try Workbench.open(path) }
        #expect(refusal.code == .foreignDatabase)
    }

    @Test(arguments: [
        ("store.sqlite", OpeningError.Code.notADatabase), (".", .cannotOpen), ("missing/store.sqlite", .cannotOpen),
    ])
    func `refuses what is no database with a sentence`(_ name: String, _ code: OpeningError.Code) throws {
        let folder = try Workbench.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(repeating: 0x41, count: 4096).write(to: folder.appendingPathComponent("store.sqlite"))
        let refusal = try #require(throws: OpeningError.self) {
            try Workbench.open(folder.appendingPathComponent(name).path)
        }
        #expect(refusal.code == code)
        #expect(refusal.description.hasSuffix("."))
    }

    @Test func `a migration that fails leaves nothing of itself`() throws {
        let folder = try Workbench.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("store.sqlite").path
        let broken = Migration(
            version: 90, name: "broken",
            script: Array("CREATE TABLE half (id BIGINT); SELECT * FROM nowhere;".utf8))
        let refusal = try #require(throws: OpeningError.self) {
            try Self.open(path, SQLiteDatabase.migrations + [broken])
        }
        #expect(refusal.code == .migrationFailed)
        let store = try Workbench.open(path)
        #expect(try store.count("sqlite_master", where: "name = 'half'") == 0)
    }

    private static func open(
        _ path: String, _ migrations: [Migration] = SQLiteDatabase.migrations
    ) throws(OpeningError) -> (database: SQLiteDatabase, applied: [String]) {
        try SQLiteDatabase.open(path, SQLiteDatabase.Configuration(), Migrator(migrations, clock: StoppedClock()))
    }
}

/// A text, or an integer as text.
private struct AnyText: RowReadable {
    let text: String

    init(row: inout SQLRow) throws(Failure) {
        var copy = row
        text = if let text = try? copy.text() { text } else { "\(try row.integer())" }
    }
}
