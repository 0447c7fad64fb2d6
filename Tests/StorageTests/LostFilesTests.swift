import Dispatch
import Foundation
import QuickActions
import Shortcuts
import Synchronization
import Testing

@testable import Storage

/// A store whose files are deleted, moved or damaged while it is open.
struct LostFilesTests {
    @Test func `a commit after the write-ahead log was deleted is in the file itself`() throws {
        let bench = try Workbench()
        let app = try bench.store.makeApp()
        try FileManager.default.removeItem(atPath: bench.path + "-wal")
        try bench.store.publish(try shortcutSet("a"), of: app)
        // As after a kill: the database is not closed, and its log is missing.
        let copy = bench.folder.appendingPathComponent("copy.sqlite").path
        try FileManager.default.copyItem(atPath: bench.path, toPath: copy)
        #expect(try Workbench.open(copy).snapshot(of: app)?.timelines[.default]?.sets.count == 1)
    }

    @Test func `a store that is left in order is whole in its one file`() throws {
        let bench = try Workbench()
        let app = try bench.store.makeApp()
        try bench.store.publish(try shortcutSet("a"), of: app)
        try bench.store.checkpoint()
        let copy = bench.folder.appendingPathComponent("copy.sqlite").path
        try FileManager.default.copyItem(atPath: bench.path, toPath: copy)
        #expect(try Workbench.open(copy).snapshot(of: app)?.timelines[.default]?.sets.count == 1)
    }

    @Test func `nothing is written to a file that was moved, and what was read of it is still known`() throws {
        let bench = try Workbench()
        let store = bench.store
        let app = try store.makeApp()
        try store.publish(try shortcutSet("a"), of: app)
        _ = try store.snapshot(of: app)
        try FileManager.default.moveItem(atPath: bench.path, toPath: bench.path + ".moved")
        #expect(failureCode { try store.publish(try shortcutSet("b"), of: app) } == .storageUnavailable)
        // The only reader is in use, and no other can be opened.
        try store.database.read { _ throws(Failure) in
            let other = DispatchSemaphore(value: 0)
            let read = Mutex<AppSnapshot?>(nil)
            DispatchQueue.global().async {
                let snapshot = try? store.snapshot(of: app)
                read.withLock { $0 = snapshot }
                other.signal()
            }
            other.wait()
            let snapshot = read.withLock { $0 }
            #expect(snapshot?.timelines[.default]?.sets.count == 1 && snapshot?.isStale == true)
        }
        #expect(try store.snapshot(of: app)?.isStale == false)
        try FileManager.default.moveItem(atPath: bench.path + ".moved", toPath: bench.path)
        #expect(try store.publish(try shortcutSet("b"), of: app).revision == 2)
    }

    @Test(arguments: [0, 4096, 20_000])
    func `a damaged file is refused and left as it is`(_ offset: UInt64) throws {
        let folder = try Workbench.makeFolder()
        let path = folder.appendingPathComponent("store.sqlite").path
        // The store is closed when it is released, and writes its log back.
        _ = try { try Workbench.open(path).makeApp() }()
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try handle.seek(toOffset: offset)
        try handle.write(contentsOf: Data(repeating: 0xa5, count: 2000))
        try handle.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let refusal = #expect(throws: OpeningError.self) { _ = try Workbench.open(path) }
        #expect(refusal?.code == .notADatabase)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        try FileManager.default.removeItem(at: folder)
    }
}
