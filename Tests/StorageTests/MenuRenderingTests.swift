import Foundation
import QuickActions
import Shortcuts
import Synchronization
import Testing

@testable import Storage

/// A publish renders its menu for the entity tag in its event.
@Suite(.eachEngine, .namingEngine) struct MenuRenderingTests {
    private let bench: Workbench
    private let store: Store
    private let app: AppID
    private let renderings = Renderings()

    /// Counts the renderings, and whether they run in a transaction.
    private final class Renderings: Sendable {
        let count = Mutex(0)
        let whileHeld = Mutex(0)
        let transactions = Mutex(0)
        /// Called before each rendering that does not run in a transaction, with the number of renderings so far.
        let interference = Mutex<(@Sendable (Int) -> Void)?>(nil)
    }

    init() throws {
        bench = try Workbench()
        let announcer = Announcer(publicURL: "https://menus.example.com", makeID: Workbench.freshID) { [renderings] content in
            let number = renderings.count.withLock { count in
                count += 1
                return count
            }
            if WatchedDatabase.isWriting {
                renderings.whileHeld.withLock { $0 += 1 }
            } else {
                renderings.interference.withLock { $0 }?(number)
            }
            return RenderedMenu(content)
        }
        let database = WatchedDatabase(bench.store.database) { [renderings] in renderings.transactions.withLock { $0 += 1 } }
        store = Store(database, announcer: announcer, identifiers: Workbench.freshID)
        app = try store.makeApp()
    }

    private var counts: [Int] { [renderings.count.withLock { $0 }, renderings.whileHeld.withLock { $0 }] }

    /// The entity tag in the newest event, beside that of the answer to a fetch.
    private func requireRightTag(_ text: String = "1.0.0") throws {
        let snapshot = try #require(try store.snapshot(of: app))
        let body = try #require(
            try store.database.read { connection throws(Failure) in
                try connection.first(
                    "SELECT body FROM events WHERE type = 'shortcuts.published' AND body LIKE ?",
                    [.text("%\"revision\":\(snapshot.lastRevision),%")], as: String.self)
            })
        let answer = try #require(ShortcutsAnswer(for: Client(build: try build(text)), in: snapshot))
        let tag = try JSON(document: Array(body.utf8))["data"]?.members.text("etag")?.string
        #expect(tag == "\"\(entityHash(of: answer.json.encodedLine))\"")
    }

    @Test func `it is rendered while others can write`() throws {
        try store.publish(try shortcutSet("a"), of: app)
        try requireRightTag()
        try store.publish(try shortcutSet("b"), of: app, until: 4000)
        try requireRightTag()
        #expect(counts == [2, 0])
        let change = DraftChange(version: try version("1.0"), audience: .default, writeCondition: .none)
        _ = try store.editDraft(.replacement(try shortcutSet("c")), change, of: app, by: author())
        _ = try store.publishDraft(change, PublishOptions(), override: nil, of: app, by: author())
        try requireRightTag()
        _ = try store.editDraft(.replacement(try shortcutSet("d")), change, of: app, by: author())
        _ = try store.scheduleDraft(change, at: 3000, until: nil, override: nil, of: app, by: author())
        while try store.fireNextDue(at: 9000) != nil {}
        try requireRightTag()
        #expect(try store.set(try version("1.0"), .default, of: app)?.set.items.map(\.id.description) == ["d"])
        let patch = ItemPatch(["title": ["en": "Patched"]], of: try #require(ItemID("d")))
        let patching = SetChange(
            version: try version("1.0"), audience: .default, action: .patch(patch), writeCondition: .none, consent: .none(override: nil))
        _ = try store.publish(patching, of: app, by: author())
        try requireRightTag()
        // Five publishes, and the automatic revert of the second one, which fails because of the third one.
        #expect(counts == [6, 0])
    }

    @Test func `a publish is one transaction`() throws {
        let change = DraftChange(version: try version("1.0"), audience: .default, writeCondition: .none)
        func transactions(_ publish: () throws -> Void) rethrows -> Int {
            let before = renderings.transactions.withLock { $0 }
            try publish()
            return renderings.transactions.withLock { $0 } - before
        }
        #expect(try transactions { try store.publish(try shortcutSet("a"), of: app) } == 1)
        _ = try store.editDraft(.replacement(try shortcutSet("b")), change, of: app, by: author())
        #expect(try transactions { _ = try store.publishDraft(change, PublishOptions(), override: nil, of: app, by: author()) } == 1)
        _ = try store.editDraft(.replacement(try shortcutSet("c")), change, of: app, by: author())
        _ = try store.scheduleDraft(change, at: 3000, until: 4000, override: nil, of: app, by: author())
        // The publish, and the automatic revert.
        for text in ["c", "b"] {
            #expect(try transactions { _ = try store.fireNextDue(at: 9000) } == 1)
            #expect(try store.set(try version("1.0"), .default, of: app)?.set.items.map(\.id.description) == [text])
        }
        #expect(counts == [4, 0])
    }

    @Test func `writers of one app render at the same time`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 1...8 {
                group.addTask {
                    for number in 1...5 { try store.publish(try shortcutSet("i\(number)"), "\(writer).0", of: app) }
                }
            }
            try await group.waitForAll()
        }
        #expect(counts == [40, 0])
        #expect(try store.snapshot(of: app)?.lastRevision == 40)
    }

    @Test(arguments: [2, 4, .max]) func `a menu that another write outdates is rendered again`(_ outdated: Int) throws {
        try store.publish(try shortcutSet("a", "b", "c"), of: app)
        renderings.interference.withLock { [other = bench.store, app] interference in
            interference = { number in
                guard number > 1, number <= outdated, let release = try? release("1.0", statics: 1 + number % 2) else { return }
                _ = try? other.putRelease(release, keepsAssets: false, of: app, by: author())
            }
        }
        try store.publish(try shortcutSet("a", "b", "c", "d"), of: app)
        try requireRightTag()
        #expect(try store.snapshot(of: app)?.lastRevision == 2)
        // The number of attempts is bounded, so the write ends while others go on writing.
        #expect(counts[1] == (outdated == .max ? 1 : 0))
        #expect(counts[0] < 20)
    }
}

/// Knows whether the calling thread is in a transaction that writes.
private struct WatchedDatabase: SQLDatabase {
    private let database: any SQLDatabase
    /// Called at the beginning of each transaction of `write`.
    private let began: @Sendable () -> Void
    private static let key = "isWriting"

    init(_ database: any SQLDatabase, began: @escaping @Sendable () -> Void) {
        self.database = database
        self.began = began
    }

    static var isWriting: Bool { Thread.current.threadDictionary[key] != nil }

    private func watched<Result>(
        _ body: (any SQLConnection) throws(Failure) -> Result, _ connection: any SQLConnection
    ) throws(Failure) -> Result {
        Thread.current.threadDictionary[Self.key] = true
        defer { Thread.current.threadDictionary[Self.key] = nil }
        return try body(connection)
    }

    func read<Result>(_ body: (any SQLConnection) throws(Failure) -> Result) throws(Failure) -> Result { try database.read(body) }

    func read<Result>(within limit: Duration, _ body: (any SQLConnection) throws(Failure) -> Result) throws(Failure) -> Result {
        try database.read(within: limit, body)
    }

    func write<Result>(
        _ body: (any SQLConnection) throws(Failure) -> Result, committed: () -> Void
    ) throws(Failure) -> Result {
        began()
        return try database.write({ connection throws(Failure) in try watched(body, connection) }, committed: committed)
    }

    func writeAlone<Result>(
        isBulk: Bool, _ body: (any SQLConnection) throws(Failure) -> Result, committed: () -> Void
    ) throws(Failure) -> Result {
        try database.writeAlone(isBulk: isBulk, { connection throws(Failure) in try watched(body, connection) }, committed: committed)
    }

    func observeExternalCommits(_ observer: @escaping @Sendable (ExternalCommits) -> Void) { database.observeExternalCommits(observer) }
    func checkForExternalCommits() throws(Failure) { try database.checkForExternalCommits() }
    func catchUp() throws(Failure) { try database.catchUp() }
    func changesBehind() throws(Failure) -> Int64 { try database.changesBehind() }
    var freshness: Freshness { database.freshness }
    var clock: any WallClock { database.clock }

    func writeUnsynced<Result>(_ lane: WriteLane, _ body: (any SQLConnection) throws(Failure) -> Result) throws(Failure) -> Result {
        try database.writeUnsynced(lane, body)
    }

    func transaction<Result>(isBulk: Bool, _ body: (any SQLConnection) throws(Failure) -> Result) throws(Failure) -> Result {
        try database.transaction(isBulk: isBulk, body)
    }

    var engine: DatabaseDescription.Engine { database.engine }
    func engineVersion() throws(Failure) -> String { try database.engineVersion() }
    func byteCount() throws(Failure) -> Int64 { try database.byteCount() }
    var writeError: WriteError? { database.writeError }
    func probeWrite() throws(Failure) { try database.probeWrite() }
    func checkpoint() throws(Failure) { try database.checkpoint() }
}
