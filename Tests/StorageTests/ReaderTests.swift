import Foundation
import GRDB
import QuickActions
import Shortcuts
import Testing

@testable import Storage
@testable import StorageSQLite

struct ReaderTests {
    @Test func `reads what stands beside a store that is in use`() throws {
        let bench = try Workbench()
        let app = try bench.store.makeApp()
        try bench.store.publish(try shortcutSet("a"), of: app)
        let reader = try StoreReader(SQLiteReader(path: bench.path))
        try bench.store.publish(try shortcutSet("b"), of: app)
        let timeline = try #require(try reader.snapshot(of: app)).timeline(for: .default)
        #expect(timeline.sets.map(\.revision) == [2])
        let ids = Set(try ["a", "b", "c"].map { try #require(ItemID($0)) })
        #expect(try reader.publishedIDs(among: ids, in: .default, of: app).map(\.description).sorted() == ["a", "b"])
        #expect(try bench.store.publishedIDs(among: [], in: .default, of: app).count == 2)
        #expect(try reader.snapshot(of: try appID("com.example.other")) == nil)
    }

    @Test func `leaves nothing beside a file that nobody has open`() throws {
        let bench = try Workbench()
        let app = try bench.store.makeApp()
        let folder = try Workbench.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let copy = folder.appendingPathComponent("a copy?#%.sqlite")
        try SQLiteDatabase.backup(bench.path, to: copy.path)
        try DatabaseQueue(path: copy.path).writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        let before = try Data(contentsOf: copy)
        #expect(try StoreReader(SQLiteReader(path: copy.path)).snapshot(of: app)?.app.id == app)
        #expect(try Data(contentsOf: copy) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [copy.lastPathComponent])
    }

    @Test(arguments: [("", OpeningError.Code.noDatabase), ("CREATE TABLE schema_migrations (version BIGINT)", .olderDatabase)])
    func `neither creates nor migrates`(_ script: String, _ code: OpeningError.Code) throws {
        let folder = try Workbench.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("store.sqlite").path
        if !script.isEmpty { try DatabaseQueue(path: path).write { try $0.execute(sql: script) } }
        let before = FileManager.default.contents(atPath: path)
        let refusal = try #require(throws: OpeningError.self) { try SQLiteReader(path: path) }
        #expect(refusal.code == code && refusal.description.contains(path))
        #expect(FileManager.default.contents(atPath: path) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == (before == nil ? 0 : 1))
    }
}
