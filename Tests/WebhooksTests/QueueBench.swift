import Foundation
import QuickActions
import Shortcuts
import Storage
import StoragePostgres
import StorageSQLite
import TestPostgres
import Testing

/// A delivery queue under test, with its input and its state.
protocol QueueBench: Sendable {
    var queue: any DeliveryQueue { get }

    func addEndpoint(_ id: EndpointID, ordered: Bool) throws
    /// An event for only this endpoint, due when it happened.
    /// - Returns: the delivery's id.
    func addDelivery(to endpoint: EndpointID, at time: Timestamp) throws -> DeliveryID
    /// Enables or disables as an owner does. Enabling ends the failure window and the hold.
    func setEnabled(_ enabled: Bool, _ endpoint: EndpointID) throws
    func recover(_ endpoint: EndpointID, at now: Timestamp) throws
    func skipHeld(of endpoint: EndpointID) throws

    func state(of delivery: DeliveryID) throws -> Delivery.State
    /// Oldest first.
    func attempts(of delivery: DeliveryID) throws -> [Attempt]
    func isEnabled(_ endpoint: EndpointID) throws -> Bool
}

/// Every implementation of `DeliveryQueue`.
enum QueueKind: CaseIterable, CustomTestStringConvertible {
    case sqlite, postgres, memory

    func makeBench() throws -> any QueueBench {
        switch self {
        case .sqlite: try StoreBench()
        case .postgres: try StoreBench(onPostgres: PostgresServer.shared())
        case .memory: MemoryBench()
        }
    }

    var testDescription: String { "\(self)" }
}

private struct MemoryBench: QueueBench {
    private let memory = MemoryQueue()

    var queue: any DeliveryQueue { memory }

    func addEndpoint(_ id: EndpointID, ordered: Bool) {
        memory.add(endpoint(id, ordered: ordered))
    }

    func addDelivery(to endpoint: EndpointID, at time: Timestamp) -> DeliveryID {
        let id: DeliveryID = "d\(memory.rows.count)"
        memory.add(Event(id: "msg_\(id)", type: .ping, app: nil, occurredAt: time, body: Array("{}".utf8)), to: endpoint, id: id)
        return id
    }

    func setEnabled(_ enabled: Bool, _ endpoint: EndpointID) {
        memory.state.withLock { if enabled { $0.enable(endpoint) } else { $0.disable(endpoint) } }
    }

    func recover(_ endpoint: EndpointID, at now: Timestamp) { memory.state.withLock { $0.recover(endpoint, at: now) } }
    func skipHeld(of endpoint: EndpointID) { memory.state.withLock { $0.skipHeld(of: endpoint) } }

    func state(of delivery: DeliveryID) throws -> Delivery.State { try #require(memory.row(delivery)).state }
    func attempts(of delivery: DeliveryID) throws -> [Attempt] { try #require(memory.row(delivery)).attempts }
    func isEnabled(_ endpoint: EndpointID) throws -> Bool { try #require(memory.state.withLock { $0.endpoints[endpoint] }).enabled }
}

private struct StoreBench: QueueBench {
    /// A folder that is removed with the store whose file it contains.
    private final class Folder: Sendable {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("longpress-\(UUID().uuidString)")

        init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

        deinit { try? FileManager.default.removeItem(at: url) }
    }

    /// A database that is removed with the store that it contains.
    private final class Database: Sendable {
        let opened: PostgresDatabase
        private let server: PostgresServer
        private let name = "queue-\(UUID().uuidString)"

        init(on server: PostgresServer) throws {
            self.server = server
            var configuration = PostgresDatabase.Configuration()
            configuration.connections = 2
            opened = try PostgresDatabase.open(uri: server.makeDatabase(named: name), name: name, configuration, for: .migrate)
        }

        deinit {
            opened.close()
            try? server.discardDatabase(named: name)
        }
    }

    private let store: Store

    init() throws {
        let folder = try Folder()
        self.init(
            try SQLiteDatabase.open(folder.url.appendingPathComponent("store.sqlite").path, clock: SystemClock()), keeping: folder)
    }

    init(onPostgres server: PostgresServer) throws {
        let database = try Database(on: server)
        self.init(database.opened, keeping: database)
    }

    /// - Parameter kept: retained for as long as the store.
    private init(_ database: any SQLDatabase, keeping kept: any Sendable) {
        let freshID: @Sendable () -> String = {
            withExtendedLifetime(kept) { UUID().uuidString.replacingOccurrences(of: "-", with: "") }
        }
        store = Store(
            database, announcer: Announcer(publicURL: "https://menus.example.com", makeID: freshID), identifiers: freshID)
    }

    var queue: any DeliveryQueue { store }

    func addEndpoint(_ id: EndpointID, ordered: Bool) throws {
        try store.createEndpoint(endpoint(id, ordered: ordered), by: author(at: Timestamp(milliseconds: 0)))
    }

    func addDelivery(to endpoint: EndpointID, at time: Timestamp) throws -> DeliveryID {
        try store.ping(endpoint, by: author(at: time))
    }

    func setEnabled(_ enabled: Bool, _ endpoint: EndpointID) throws {
        _ = try store.updateEndpoint(endpoint, isEnabling: enabled, by: author(at: 0)) { endpoint throws(Failure) in
            var changed = endpoint
            changed.setEnabled(enabled, at: 0)
            return changed
        }
    }

    func recover(_ endpoint: EndpointID, at now: Timestamp) throws { _ = try store.recover(endpoint, since: nil, by: author(at: now)) }
    func skipHeld(of endpoint: EndpointID) throws { _ = try store.skipHeld(of: endpoint, by: author(at: 0)) }

    func state(of delivery: DeliveryID) throws -> Delivery.State { try #require(try store.delivery(delivery)).state }
    func attempts(of delivery: DeliveryID) throws -> [Attempt] { try #require(try store.delivery(delivery)).attempts }
    func isEnabled(_ endpoint: EndpointID) throws -> Bool { try #require(try store.endpoint(endpoint)).enabled }

    private func author(at time: Timestamp) -> Author { Author(token: "ana", address: "127.0.0.1", request: "r", at: time) }
}

/// The endpoint gets only pings, and not the events of the store.
private func endpoint(_ id: EndpointID, ordered: Bool) -> Endpoint {
    Endpoint(
        id: id, url: EndpointURL(stored: "https://hooks.example.com/\(id)"), types: [.ping], ordered: ordered,
        createdAt: Timestamp(milliseconds: 0),
        secrets: SigningSecrets(current: "whsec_\(id)"))
}
