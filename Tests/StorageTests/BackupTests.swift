import Foundation
import GRDB
import Shortcuts
import Synchronization
import Testing

@testable import Storage
@testable import StorageSQLite

struct BackupTests {
    @Test func `a backup made while writing is of one moment and whole`() async throws {
        let bench = try Workbench()
        let store = bench.store
        let app = try store.makeApp()
        try store.createEndpoint(endpoint("e"), by: author())
        try store.publish(try shortcutSet("start"), of: app)
        let isDone = Mutex(false)
        let writer = Task {
            var number = 0
            while !isDone.withLock(\.self) {
                number += 1
                try store.publish(try shortcutSet("i\(number)"), of: app)
            }
        }
        for copy in 0..<5 {
            let path = bench.folder.appendingPathComponent("copy\(copy).sqlite").path
            try SQLiteDatabase.backup(bench.path, to: path)
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
            let restored = try Workbench.open(path)
            let last = try #require(try restored.revisions(of: app, PageRequest(limit: 1)).items.first)
            #expect(try restored.set(try version("1"), .default, of: app)?.revision == last.number)
            #expect(try restored.count("events", where: "type = 'shortcuts.published'") == Int(last.number))
            #expect(try restored.count("deliveries") == Int(last.number))
        }
        isDone.withLock { $0 = true }
        try await writer.value
        let left = try FileManager.default.contentsOfDirectory(atPath: bench.folder.path)
        #expect(!left.contains { $0.hasSuffix(".partial") })
    }

    /// GRDB gives each connection functions and collations that a file can name. The release build has no locale data for them.
    @Test func `a backup that sorts by locale is restored`() throws {
        let bench = try Workbench()
        let app = try bench.store.makeApp()
        let copy = bench.folder.appendingPathComponent("copy.sqlite").path
        try SQLiteDatabase.backup(bench.path, to: copy)
        try DatabaseQueue(path: copy).write { database in
            for (number, collation) in ["", "CaseInsensitive", "LocalizedCaseInsensitive", "Localized", "LocalizedStandard"].enumerated() {
                try database.execute(
                    sql: """
                        CREATE TABLE names\(number) (name TEXT COLLATE swift\(collation)Compare UNIQUE);
                        INSERT INTO names\(number) VALUES ('a10'), ('a9'), ('\u{E4}'), ('z'), ('\u{130}'), ('e\u{301}'), ('\u{65E5}');
                        """)
            }
            for (number, change) in ["Capitalized", "Lowercase", "Uppercase"].enumerated() {
                try database.execute(
                    sql: """
                        CREATE TRIGGER changed\(number) AFTER UPDATE ON apps BEGIN
                            INSERT OR IGNORE INTO names0
                            VALUES (swift\(change)String('\u{1C6} \u{E4}') || swiftLocalized\(change)String('i\u{130}'));
                        END
                        """)
            }
        }
        let restored = bench.folder.appendingPathComponent("restored.sqlite").path
        _ = try SQLiteDatabase.restore(copy, to: restored, clock: StoppedClock()) { connection throws(Failure) in
            _ = try connection.execute("UPDATE apps SET id = id", [])
        }
        #expect(try Workbench.open(restored).app(app) != nil)
    }

    @Test func `a backup never replaces a file`() throws {
        let bench = try Workbench()
        let target = bench.folder.appendingPathComponent("kept.txt")
        try Data("kept".utf8).write(to: target)
        let refusal = try #require(throws: BackupError.self) { try SQLiteDatabase.backup(bench.path, to: target.path) }
        #expect(refusal.description.contains("kept.txt"))
        #expect(try Data(contentsOf: target) == Data("kept".utf8))
    }

    @Test(arguments: [("missing.sqlite", "copy.sqlite"), ("store.sqlite", "missing/copy.sqlite")])
    func `a backup from nowhere or to nowhere is refused with a sentence`(_ source: String, _ destination: String)
        throws
    {
        let bench = try Workbench()
        let refusal = try #require(throws: BackupError.self) {
            try SQLiteDatabase.backup(
                bench.folder.appendingPathComponent(source).path,
                to: bench.folder.appendingPathComponent(destination).path)
        }
        #expect(refusal.description.hasSuffix("."))
    }
}
