import Foundation
import QuickActions
import Shortcuts
import TestPostgres
import Testing

@testable import Storage
@testable import StoragePostgres

/// Each operation of `SilenceTests` works with each unkind default of a database.
@Suite(.enabled(if: (try? PostgresServer.shared().socketPath) != nil, "the server is not the tests' own")) struct CutDefaultsTests {
    static let settings = [
        ("synchronous_commit", "off"), ("statement_timeout", "25"), ("default_transaction_isolation", "serializable"),
        ("default_transaction_read_only", "on"), ("lock_timeout", "1"), ("idle_session_timeout", "50"),
        ("idle_in_transaction_session_timeout", "1"), ("search_path", "''"), ("standard_conforming_strings", "off"),
        ("DateStyle", "'SQL, DMY'"), ("client_min_messages", "debug5"),
    ]

    @Test(arguments: settings) func `each operation works with a default of`(_ name: String, _ value: String) async throws {
        let operations = SilenceTests.isLong ? CutOperation.all : [.publish(writers: 2), .importing]
        let problems = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                SilenceTests.turns.wait()
                defer { SilenceTests.turns.signal() }
                continuation.resume(returning: operations.compactMap { Self.problem(of: $0, name, value) })
            }
        }
        if SilenceTests.isLong {
            let line =
                "cuts: defaults of the server, \(name): \(operations.count - problems.count) of \(operations.count) boundaries held\n"
            FileHandle.standardError.write(Data((problems.map { "\($0)\n" }.joined() + line).utf8))
        }
        #expect(problems == [])
    }

    private static func problem(of operation: CutOperation, _ name: String, _ value: String) -> String? {
        do {
            let stage = try CutStage()
            let database = stage.bench.folder.lastPathComponent
            _ = try stage.bench.store.database.writeUnsynced(.free) { connection throws(Failure) in
                try connection.execute("ALTER DATABASE \"\(database)\" SET \(name) = \(value)", [])
            }
            try operation.prepare(0, stage)
            let opened = try stage.openDatabase(
                try #require(stage.bench.heard.uri), isPatient: true, for: operation.preparation, node: "victim-0")
            let victim = CutVictim(0)
            victim.open(opened)
            defer { victim.close() }
            try operation.act(0, as: "victim", on: try victim.store(), stage)
            try victim.checkConnections()
            try operation.check(0, isDone: true, stage)
            return nil
        } catch {
            return "\(operation) with \(name) = \(value): \(error)"
        }
    }
}
