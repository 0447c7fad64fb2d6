import Foundation
import QuickActions
import Shortcuts
import Testing

@testable import Storage
@testable import StoragePostgres

/// An administrator sets the defaults of a database and of a role. The guarantees hold with each of them, also through a pooler.
@Suite struct DefaultsTests {
    static let ways: [PostgresDatabase.Listening] = [.sameServer, .pollOnly]

    private let bench: Workbench

    init() throws {
        bench = try Workbench(on: .postgres)
    }

    /// - Parameter owner: `DATABASE` or `ROLE`.
    private func setDefault(of owner: String, _ name: String, _ value: String) throws {
        let database = bench.folder.lastPathComponent
        let target = owner == "ROLE" ? "ROLE CURRENT_USER IN DATABASE" : "DATABASE"
        _ = try bench.store.database.writeUnsynced(.free) { connection throws(Failure) in
            try connection.execute("ALTER \(target) \"\(database)\" SET \(name) = \(value)", [])
        }
    }

    private func reopened(_ name: String, _ way: PostgresDatabase.Listening) throws -> Store {
        try bench.reopened(.node(name)) { $0.listening = way }
    }

    @Test(arguments: ways, [("DATABASE", "off"), ("ROLE", "off"), ("ROLE", "local"), ("DATABASE", "remote_write")])
    func `a commit that is acknowledged is durable, whatever the default is`(
        _ way: PostgresDatabase.Listening, _ setting: (owner: String, value: String)
    ) throws {
        try setDefault(of: setting.owner, "synchronous_commit", setting.value)
        #expect(try level(way) == "on")
    }

    @Test(arguments: ways, ["on", "remote_apply"])
    func `a default that is durable is kept`(_ way: PostgresDatabase.Listening, _ value: String) throws {
        try setDefault(of: "DATABASE", "synchronous_commit", value)
        #expect(try level(way) == value)
    }

    private func level(_ way: PostgresDatabase.Listening) throws -> String? {
        try reopened("one", way).database.write { connection throws(Failure) in
            try connection.first("SHOW synchronous_commit", [], as: String.self)
        }
    }

    @Test(
        arguments: ways,
        [
            ("default_transaction_isolation", "serializable"), ("default_transaction_read_only", "on"),
            ("default_transaction_deferrable", "on"), ("statement_timeout", "25"), ("lock_timeout", "1"), ("idle_session_timeout", "50"),
            ("idle_in_transaction_session_timeout", "1"), ("search_path", "''"), ("standard_conforming_strings", "off"),
            ("DateStyle", "'SQL, DMY'"), ("IntervalStyle", "sql_standard"), ("TimeZone", "'Pacific/Apia'"), ("bytea_output", "escape"),
            ("client_min_messages", "debug5"), ("synchronous_commit", "off"),
        ])
    func `menus, tokens, webhooks and nodes are as ever`(
        _ way: PostgresDatabase.Listening, _ setting: (name: String, value: String)
    ) throws {
        for owner in ["DATABASE", "ROLE"] { try setDefault(of: owner, setting.name, setting.value) }
        let store = try reopened("one", way)
        let app = try store.makeApp()
        for number in 1...3 {
            #expect(try store.publish(try shortcutSet("a", title: "Title \(number)"), of: app).revision == Int64(number))
        }
        let token = Token(id: "t", name: "Ana", role: .editor, scope: .all, createdAt: 7, expiresAt: nil, hash: sha256([0, 92, 255]))
        try store.createToken(token, by: author())
        #expect(try store.token("t")?.hash == token.hash)
        try store.createEndpoint(endpoint("a"), by: author())
        _ = try store.ping("a", by: author())
        try store.heartbeat(at: 1000)
        let claimed = try store.claimDue(at: 2000, limit: 9, perEndpoint: 8, lease: 60_000)
        try store.record(claimed.map { $0.outcome(.delivered, at: 2000) }, at: 2000, disableAfter: .max)
        #expect(try store.states(of: "a") == ["delivered"])
        // Other nodes are notified, and a node that starts reads the same.
        let other = try reopened("other", way)
        #expect(try other.set(try version("1.0.0"), .default, of: app)?.revision == 3)
        let heard = bench.heard.changed.withLock(\.count)
        try store.publish(nil, of: app)
        var isHeard = false
        let end = ContinuousClock.now + .seconds(60)
        while !isHeard, .now < end {
            Thread.sleep(forTimeInterval: 0.01)
            isHeard =
                bench.heard.changed.withLock(\.count) >= heard + 2
                && (other.database as? PostgresDatabase)?.statistics?.connections[.listening] == 1
        }
        #expect(isHeard)
    }
}
