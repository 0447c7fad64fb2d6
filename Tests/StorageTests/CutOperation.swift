import Foundation
import QuickActions
import Shortcuts
import Synchronization
import TestPostgres
import Testing

@testable import Storage
@testable import StoragePostgres

/// What a lane of `SilenceTests` has beside the node that loses its database: two other nodes, an app, and a source of copies.
struct CutStage: Sendable {
    let bench: Workbench
    let other: Store
    let app: AppID
    /// The source of copies.
    let source: Workbench

    init() throws {
        bench = try Workbench(.node("bench"), on: .postgres)
        other = try bench.reopened(.node("other"), postgres: Self.quicken)
        app = try other.makeApp()
        try other.createEndpoint(endpoint("a", types: [.ping]), by: author())
        source = try Workbench(on: .sqlite)
        let copied = try source.store.makeApp()
        try source.store.publish(try shortcutSet("a"), of: copied)
    }

    private static func quicken(_ configuration: inout PostgresDatabase.Configuration) {
        configuration.limits = Limits(scale: SilenceTests.scale)
    }

    func openDatabase(
        _ uri: String, isPatient: Bool = false, for preparation: PostgresDatabase.Preparation = .migrate, node: String = "node",
        isPooled: Bool = false
    ) throws -> PostgresDatabase {
        var configuration = PostgresDatabase.Configuration()
        if !isPatient { Self.quicken(&configuration) }
        configuration.node = node
        if isPooled { configuration.listening = .pollOnly }
        return try PostgresDatabase.open(uri: uri, name: "the database", configuration, for: preparation, clock: StoppedClock())
    }

    func uri(through proxy: MessageProxy) -> String {
        "postgresql://longpress@127.0.0.1:\(proxy.port)/\(bench.folder.lastPathComponent)?sslmode=disable&gssencmode=disable"
    }

    func openDirectly() throws -> PostgresDatabase { try openDatabase(try #require(bench.heard.uri), isPatient: true) }

    /// Faster than a new database.
    func emptyTables() throws {
        _ = try bench.store.database.transaction { connection throws(Failure) in
            try connection.execute("TRUNCATE \(CopiedTable.all.map(\.name).joined(separator: ", ")) CASCADE", [])
        }
    }

    func clearDatabase() throws {
        try bench.store.database.transaction { connection throws(Failure) in
            try connection.run(script: "SET LOCAL client_min_messages = error; DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        }
    }
}

struct CutProblem: Error, CustomStringConvertible {
    let description: String

    static func expect(_ condition: Bool, _ sentence: String) throws {
        guard condition else { throw CutProblem(description: sentence) }
    }
}

/// The node that is stopped, and the result of its call.
final class CutVictim: Sendable {
    let number: Int
    private struct State {
        /// Whether the operation was acknowledged; nil until its end.
        var result: Bool?
        var database: PostgresDatabase?
        var store: Store?
    }
    private let state = Mutex(State())

    init(_ number: Int) { self.number = number }

    func open(_ database: PostgresDatabase) {
        let store = Workbench.store(on: database, .node("victim-\(number)"))
        state.withLock { ($0.database, $0.store) = (database, store) }
    }

    func store() throws -> Store {
        let store = state.withLock(\.store)
        return try #require(store)
    }

    func end(isDone: Bool) { state.withLock { $0.result = isDone } }

    var isOver: Bool { state.withLock { $0.result != nil } }

    func wait() -> Bool {
        while true {
            if let isDone = state.withLock(\.result) { return isDone }
            Thread.sleep(forTimeInterval: 0.002)
        }
    }

    func close() { state.withLock(\.database)?.close() }

    /// After the network works again, the node hears of all commits, without being asked.
    func checkFollowing() throws {
        guard let database = state.withLock(\.database) else { return }
        let end = ContinuousClock.now + .seconds(10) * SilenceTests.scale + SilenceTests.slack
        while (try? database.changesBehind()) != 0 {
            try CutProblem.expect(.now < end, "the node does not follow the others again")
            Thread.sleep(forTimeInterval: 0.01)
        }
    }

    /// After the network works again, each call gets its own answer.
    func checkConnections() throws {
        guard let database = state.withLock(\.database) else { return }
        let end = ContinuousClock.now + .seconds(30)
        for question in 0..<12 {
            while true {
                do {
                    let text = "question \(question) of \(number)"
                    let answer = try database.read { connection throws(Failure) in
                        try connection.first("SELECT CAST(? AS TEXT)", [.text(text)], as: String.self)
                    }
                    try CutProblem.expect(answer == text, "a later call got the answer \(answer ?? "none")")
                    break
                } catch let failure as Failure {
                    try CutProblem.expect(.now < end, "no later call succeeds: \(failure)")
                }
            }
        }
    }
}

/// What the stopped node does.
enum CutOperation: Sendable, Equatable, CustomStringConvertible {
    case publish(writers: Int)
    case claim, outcome, heartbeat, schedule, importing, migration, copy, catchUp, listening

    /// Those of make test and make test-cluster.
    static let few: [CutOperation] = [.publish(writers: 1), .claim, .heartbeat, .schedule, .migration]
    static let all: [CutOperation] = [
        .publish(writers: 1), .publish(writers: 2), .publish(writers: 64), .claim, .outcome, .heartbeat, .schedule, .importing, .migration,
        .copy, .catchUp, .listening,
    ]

    var description: String {
        switch self {
        case .publish(let writers): "publish, \(writers) writer\(writers == 1 ? "" : "s")"
        case .claim: "claim"
        case .outcome: "outcome"
        case .heartbeat: "heartbeat"
        case .schedule: "schedule"
        case .importing: "import"
        case .migration: "migrate"
        case .copy: "copy"
        case .catchUp: "catch-up"
        case .listening: "LISTEN"
        }
    }

    var isLarge: Bool { self == .migration || self == .copy }

    /// Whether the message belongs to a long repetition: 64 writers send some 38 messages each, one writer after another. make cuts tries
    /// every thirteenth of these messages. It still meets each message of a writer, and ends within an hour.
    func repeats(_ boundary: Int, of count: Int) -> Bool {
        self == .publish(writers: 64) && boundary > 80 && boundary < count - 80
    }

    /// Whether the database is opened by the operation.
    var isOpening: Bool { self == .migration || self == .listening }

    var preparation: PostgresDatabase.Preparation { self == .listening || self == .catchUp ? .serve : .migrate }

    /// The limit of the call, in seconds; nil if it depends on the work.
    var limit: Duration? {
        switch self {
        case .publish, .claim, .outcome, .heartbeat, .schedule: .seconds(15)
        case .catchUp: .seconds(2)
        case .importing, .migration, .copy, .listening: nil
        }
    }

    func prepare(_ number: Int, _ stage: CutStage) throws {
        switch self {
        case .publish, .heartbeat, .importing, .listening: break
        case .catchUp: try publish(number, as: "before", on: stage.other, stage)
        case .claim, .outcome:
            _ = try stage.bench.store.database.writeUnsynced(.free) { connection throws(Failure) in
                try connection.execute("DELETE FROM deliveries", [])
            }
            for _ in 0..<4 { _ = try stage.bench.store.ping("a", by: author()) }
        case .schedule:
            let change = DraftChange(version: try version("1.0"), audience: .default, writeCondition: .none)
            let author = author(at: 1000, "victim-\(number)")
            _ = try stage.bench.store.editDraft(
                .replacement(try shortcutSet("a", title: "Scheduled \(number)")), change, of: stage.app, by: author)
            _ = try stage.bench.store.scheduleDraft(change, at: 5000, until: nil, override: nil, of: stage.app, by: author)
        case .migration: try stage.clearDatabase()
        case .copy: try stage.emptyTables()
        }
    }

    private func publish(_ number: Int, as name: String, on store: Store, _ stage: CutStage) throws {
        let change = SetChange(
            version: try version("1.0"), audience: .default, action: .publish(try shortcutSet("a", title: "\(name) \(number)")),
            writeCondition: .none, consent: .none(override: nil))
        _ = try store.publish(change, of: stage.app, by: author(at: 1000, "\(name)-\(number)"))
    }

    func act(_ number: Int, as name: String, on store: Store, _ stage: CutStage) throws {
        switch self {
        case .publish(let writers) where writers > 1 && name == "victim":
            let failures = Mutex(0)
            let group = DispatchGroup()
            for writer in 0..<writers {
                group.enter()
                Thread.detachNewThread {
                    defer { group.leave() }
                    do { try publish(number, as: "\(name).\(writer)", on: store, stage) } catch { failures.withLock { $0 += 1 } }
                }
            }
            group.wait()
            try CutProblem.expect(failures.withLock { $0 == 0 }, "some were not acknowledged")
        case .publish: try publish(number, as: name, on: store, stage)
        case .claim: _ = try store.claimDue(at: 9000, limit: 2, perEndpoint: 8, lease: 60_000)
        case .outcome:
            let claimed = try store.claimDue(at: 9000, limit: 2, perEndpoint: 8, lease: 60_000)
            try store.record(claimed.map { $0.outcome(.delivered, at: 9000) }, at: 9000, disableAfter: .max)
        case .heartbeat: try store.heartbeat(at: Timestamp(milliseconds: 1000 + Int64(number)))
        case .schedule: while try store.fireNextDue(at: 9000) != nil {}
        case .importing: try store.importArchive(try archive(number, of: name), replacing: false, dryRun: false, by: author())
        case .migration: break
        case .copy:
            _ = try StoreCopy.copy(from: stage.source.store.database, to: store.database, targetName: "target", at: 100)
        case .catchUp: try store.catchUpCompletely()
        case .listening:
            try publish(number, as: "heard", on: stage.other, stage)
            let end = ContinuousClock.now + .seconds(2)
            while .now < end, try store.database.changesBehind() > 0 { Thread.sleep(forTimeInterval: 0.01) }
        }
    }

    private func archive(_ number: Int, of name: String) throws -> Archive {
        func revision(_ number: Int) -> String {
            """
            {"revision": \(number), "kind": "published", "version": "1.0.0", "audience": "default", "publishedAt": "2026-01-31T09:00:00.000Z",
             "by": "ana", "set": {"items": [{"id": "a", "type": "t", "title": {"en": "\(number)"}}]}}
            """
        }
        let apps = (0..<3).map { part in
            """
            {"app": "com.example.\(name)\(number).part\(part)", "name": null, "defaultLanguage": "en", "fallbackURL": null, "lastRevision": 2,
             "releases": [], "drafts": [], "sets": [{"version": "1.0.0", "audience": "default", "revision": 2}],
             "revisions": [\(revision(1)), \(revision(2))]}
            """
        }
        let text = #"{"format": "longpress-export", "schema": 2, "apps": [\#(apps.joined(separator: ","))], "deletedApps": []}"#
        return try ArchiveDocument(Array(text.utf8)).checked()
    }

    func callsOfOthers(_ number: Int, _ stage: CutStage) -> [() throws -> Void] {
        var calls = [{ try act(number, as: "other", on: stage.other, stage) }]
        switch self {
        case .migration: calls = [{ try stage.openDatabase(try #require(stage.bench.heard.uri)).close() }]
        // The target belongs to the copy.
        case .copy: calls = []
        case .catchUp, .listening: calls = [{ try publish(number, as: "other", on: stage.other, stage) }]
        case .publish, .importing: break
        // They do not need the writers' lock.
        case .claim, .outcome, .heartbeat, .schedule: calls.append { try stage.other.makeApp("com.example.n\(number)") }
        }
        return calls
    }

    func check(_ number: Int, isDone: Bool, _ stage: CutStage) throws {
        let other = stage.other
        func expect(_ condition: Bool, _ sentence: String) throws { try CutProblem.expect(condition, sentence) }
        switch self {
        case .publish(let writers):
            for name in writers == 1 ? ["victim"] : (0..<writers).map({ "victim.\($0)" }) {
                let published = try other.count("revisions", where: "published_by = '\(name)-\(number)'")
                try expect(isDone ? published == 1 : published <= 1, "published \(published) times, acknowledged: \(isDone)")
            }
            let others = try other.count("revisions", where: "published_by = 'other-\(number)'")
            try expect(number == 0 || others == 1, "the other node's menu was published \(others) times")
            let last = try other.count("revisions", where: "number > (SELECT COUNT(*) FROM revisions)")
            try expect(last == 0, "the numbers have a gap")
        case .claim:
            let held = try other.count("deliveries", where: "lease_node = 'id-victim-\(number)'")
            try expect(held == 2 || held == 0 && !isDone, "the victim has claimed \(held), acknowledged: \(isDone)")
            let others = try other.count("deliveries", where: "lease_node = 'id-other'")
            try expect(others == (number == 0 ? 0 : 2), "the other node's claim holds \(others)")
            try checkRest(4 - others, other)
        case .outcome:
            let delivered = try other.count("deliveries", where: "state = 'delivered'")
            let attempts = try other.count("attempts", where: "delivery IN (SELECT sequence FROM deliveries)")
            try expect(delivered == attempts, "\(delivered) are delivered in \(attempts) attempts")
            try expect(delivered >= (isDone ? 2 : 0) + (number == 0 ? 0 : 2), "an outcome is missing")
            try checkRest(4 - delivered, other)
        case .heartbeat:
            try expect(try other.count("nodes", where: "name = 'victim-\(number)'") <= 1, "listed twice")
            if isDone { try expect(try other.count("nodes", where: "name = 'victim-\(number)'") == 1, "not listed") }
        case .schedule:
            try expect(try other.count("schedule") == 0, "an entry is left")
            try expect(try other.count("revisions", where: "published_by = 'victim-\(number)'") == 1, "not published once")
        case .importing:
            let apps = try other.count("apps", where: "id LIKE 'com.example.victim\(number).part%'")
            let revisions = try other.count("revisions", where: "app LIKE 'com.example.victim\(number).part%'")
            try expect((apps, revisions) == (3, 6) || !isDone && (apps, revisions) == (0, 0), "\(apps) apps with \(revisions) revisions")
        case .migration:
            let database = try stage.openDirectly()
            defer { database.close() }
            let applied = try database.read { connection throws(Failure) in
                try connection.first("SELECT COUNT(*) FROM schema_migrations", [], as: Int.self)
            }
            try expect(applied == PostgresDatabase.migrations.count, "a migration is missing")
        case .copy:
            let count = try other.count("revisions")
            try expect(count == 1 || count == 0 && !isDone, "\(count) revisions, acknowledged: \(isDone)")
        case .catchUp, .listening:
            let others = try other.count("revisions", where: "published_by = 'other-\(number)'")
            try expect(number == 0 || others == 1, "the other node's menu was published \(others) times")
        }
    }

    /// The deliveries that are not done can be claimed once the victim is given up.
    private func checkRest(_ expected: Int, _ other: Store) throws {
        // Both skip rows that the victim's transaction holds until PostgreSQL has rolled it back.
        var rest = 0
        let end = ContinuousClock.now + SilenceTests.bound + SilenceTests.slack
        repeat {
            // The victim is not in the list of nodes, as if it were dead for 15 seconds.
            try other.releaseAbandonedLeases(at: 9000)
            rest += try other.claimDue(at: 9000, limit: 8, perEndpoint: 8, lease: 60_000).count
        } while rest < expected && .now < end
        try CutProblem.expect(rest == expected, "of the other deliveries \(rest) can be claimed")
    }
}
