import Foundation
import GRDB
import Shortcuts
import Testing

@testable import Storage
@testable import StorageSQLite

struct FailureTests {
    @Test(arguments: [
        (ResultCode.SQLITE_FULL, Failure.Code.storageUnavailable), (.SQLITE_IOERR, .storageUnavailable),
        (.SQLITE_IOERR_WRITE, .storageUnavailable), (.SQLITE_READONLY, .storageUnavailable),
        (.SQLITE_READONLY_DBMOVED, .storageUnavailable), (.SQLITE_CANTOPEN, .storageUnavailable),
        (.SQLITE_BUSY, .storageUnavailable), (.SQLITE_LOCKED, .storageUnavailable),
        (.SQLITE_CORRUPT, .storageUnavailable),
        (.SQLITE_NOTADB, .storageUnavailable), (.SQLITE_NOMEM, .storageUnavailable),
        (.SQLITE_NOLFS, .storageUnavailable),
        (.SQLITE_CONSTRAINT_UNIQUE, .internalError), (.SQLITE_ERROR, .internalError), (.SQLITE_MISUSE, .internalError),
        (.SQLITE_TOOBIG, .internalError), (.SQLITE_MISMATCH, .internalError),
    ])
    func `a result code decides the failure`(_ code: ResultCode, _ expected: Failure.Code) {
        let failure = Failure(DatabaseError(resultCode: code, message: "database or disk is full"))
        #expect(failure.code == expected)
        #expect(failure.cause?.contains("\(code.rawValue)") == true)
        #expect(!failure.detail.contains("disk"))
    }

    @Test func `its cause is one line and says each thing once`() {
        let failure = Failure(
            DatabaseError(
                resultCode: .SQLITE_CORRUPT, message: "database disk image is malformed", sql: "SELECT id,\n  url\nFROM endpoints"))
        #expect(
            failure.cause == "SQLite 11: database disk image is malformed, or the disk cannot be read in `SELECT id, url FROM endpoints`")
    }

    @Test(arguments: [("PRAGMA query_only = 1", nil), ("PRAGMA max_page_count = 1", "PRAGMA max_page_count = 1000000")])
    func `a store that cannot be written says so, is still read, and heals`(_ ailment: String, _ cure: String?) throws {
        let bench = try Workbench()
        let store = bench.store
        let app = try store.makeApp()
        let retired = (0..<100).map { "\($0)-" + String(repeating: "x", count: 120) }
        // Uses up the pages that the migrations have freed.
        for id in ["a", "c", "d", "e"] { try store.publish(try shortcutSet(id, retired: retired), of: app) }
        try store.execute(ailment)
        let large = try shortcutSet("b", retired: retired)
        #expect(failureCode { try store.publish(large, of: app) } == .storageUnavailable)
        #expect(try store.snapshot(of: app)?.timelines[.default]?.sets.map(\.revision) == [4])
        if let cure { try store.execute(cure) }
        let healed = cure == nil ? try bench.reopened() : store
        #expect(try healed.publish(large, of: app).revision == 5)
    }

    @Test func `a file that another process keeps to itself is unavailable after the timeout`() throws {
        var configuration = SQLiteDatabase.Configuration()
        configuration.busyTimeout = .milliseconds(50)
        let bench = try Workbench(opening: configuration)
        let other = try DatabaseQueue(path: bench.path)
        try other.inDatabase { database in
            try database.execute(sql: "BEGIN IMMEDIATE")
            #expect(failureCode { try bench.store.makeApp() } == .storageUnavailable)
            #expect(try bench.store.apps(PageRequest(), within: .all).items.isEmpty)
            try database.execute(sql: "ROLLBACK")
        }
        try bench.store.makeApp()
    }

    @Test func `what should not be stored is an internal error, not a trap`() throws {
        let store = try Workbench().store
        let app = try store.makeApp()
        try store.execute("UPDATE apps SET default_language = '???'")
        #expect(failureCode { _ = try store.snapshot(of: app) } == .internalError)
    }
}
