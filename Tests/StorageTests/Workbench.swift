import Foundation
import QuickActions
import Shortcuts
import Synchronization
import TestPostgres
import Testing

@testable import Storage
@testable import StoragePostgres
@testable import StorageSQLite

/// A store on a real file in a new folder, or in a new PostgreSQL database. It is removed with the last open store.
struct Workbench: Sendable {
    let store: Store
    let heard: Heard

    /// The changes that the stores have sent. The stores retain it, and it removes the folder at its end.
    final class Heard: Sendable {
        let folder: URL
        /// The URI of the database; nil on SQLite.
        let uri: String?
        private let databases = Mutex<[PostgresDatabase]>([])
        let changed = Mutex<[AppID]>([])
        let queued = Mutex(0)
        let endpoints = Mutex<[Set<EndpointID>]>([])
        let notices = Mutex<[CommitNotice]>([])
        /// How often `everything` was sent because another process, or another store on the file, committed.
        let external = Mutex(0)

        init(on engine: Engine) throws {
            folder = try Workbench.makeFolder()
            uri = engine == .sqlite ? nil : try PostgresServer.shared().makeDatabase(named: folder.lastPathComponent)
        }

        deinit {
            for database in databases.withLock({ $0 }) { database.close() }
            if uri != nil { try? PostgresServer.shared().discardDatabase(named: folder.lastPathComponent) }
            try? FileManager.default.removeItem(at: folder)
        }

        func openDatabase(_ uri: String, _ change: PostgresChange) throws -> PostgresDatabase {
            var configuration = PostgresDatabase.Configuration()
            configuration.connections = 4
            change(&configuration)
            let database = try PostgresDatabase.open(uri: uri, name: "the database", configuration, for: .serve, clock: StoppedClock())
            databases.withLock { $0.append(database) }
            return database
        }

        private let observations = Mutex<[Observation]>([])

        func hear(of store: Store) -> Store {
            let observation = store.observe { [weak self] changes in
                guard let self else { return }
                for change in changes {
                    switch change {
                    case .app(let app): changed.withLock { $0.append(app) }
                    case .deliveries: queued.withLock { $0 += 1 }
                    case .endpoints(let these): endpoints.withLock { $0.append(these) }
                    case .notice(let notice): notices.withLock { $0.append(notice) }
                    case .everything: external.withLock { $0 += 1 }
                    case .schedule, .stream, .credentials: break
                    }
                }
            }
            observations.withLock { $0.append(observation) }
            return store
        }
    }

    /// Uses the engine of the running test.
    init(_ configuration: Store.Configuration = Store.Configuration(), on engine: Engine = .current) throws {
        heard = try Heard(on: engine)
        store = heard.hear(of: try Self.open(heard, configuration))
    }

    /// On SQLite.
    init(opening: SQLiteDatabase.Configuration) throws {
        heard = try Heard(on: .sqlite)
        let path = heard.folder.appendingPathComponent("store.sqlite").path
        store = heard.hear(of: try Self.open(path, opening: opening, keeping: heard))
    }

    var engine: Engine { heard.uri == nil ? .sqlite : .postgres }

    var folder: URL { heard.folder }

    var path: String { folder.appendingPathComponent("store.sqlite").path }

    /// Changes the configuration for PostgreSQL.
    typealias PostgresChange = (inout PostgresDatabase.Configuration) -> Void

    /// Another store on the same database, as after a restart.
    func reopened(
        _ configuration: Store.Configuration = Store.Configuration(), postgres change: PostgresChange = { _ in }
    ) throws -> Store {
        heard.hear(of: try Self.open(heard, configuration, postgres: change))
    }

    private static func open(
        _ heard: Heard, _ configuration: Store.Configuration, postgres change: PostgresChange = { _ in }
    ) throws -> Store {
        guard let uri = heard.uri else {
            return try open(heard.folder.appendingPathComponent("store.sqlite").path, configuration, keeping: heard)
        }
        return store(on: try heard.openDatabase(uri, change), configuration, keeping: heard)
    }

    static func makeFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("longpress-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// - Parameter kept: retained for as long as the store.
    static func open(
        _ path: String, _ configuration: Store.Configuration = Store.Configuration(),
        opening: SQLiteDatabase.Configuration = SQLiteDatabase.Configuration(), keeping kept: Heard? = nil
    ) throws -> Store {
        store(on: try SQLiteDatabase.open(path, configuration: opening, clock: StoppedClock()), configuration, keeping: kept)
    }

    static func store(on database: any SQLDatabase, _ configuration: Store.Configuration, keeping kept: Heard? = nil) -> Store {
        Store(
            database, configuration: configuration, announcer: Announcer(publicURL: "https://menus.example.com", makeID: freshID),
            identifiers: { withExtendedLifetime(kept) { freshID() } })
    }

    @Sendable static func freshID() -> String {
        UUID().uuidString.replacingOccurrences(of: "-", with: "")
    }
}

struct StoppedClock: WallClock {
    func now() -> Timestamp { Timestamp(milliseconds: 1_800_000_000_000) }
}

extension Timestamp: ExpressibleByIntegerLiteral {
    /// Milliseconds.
    package init(integerLiteral value: Int64) {
        self.init(milliseconds: value)
    }
}

func author(at time: Timestamp = 1000, _ token: String = "ana") -> Author {
    Author(token: token, tokenID: TokenID(token), address: "127.0.0.1", request: "r-\(time.milliseconds)", at: time)
}

func appID(_ text: String = "com.example.notes") throws -> AppID { try #require(AppID(text)) }

func version(_ text: String) throws -> AppVersion { try #require(AppVersion(text)) }

func build(_ text: String) throws -> AppBuild { try #require(AppBuild(text)) }

func shortcutSet(_ ids: String..., title: String = "Title", retired: [String] = []) throws -> ShortcutSet {
    let items = ids.map { id in #"{"id": "\#(id)", "type": "t.\#(id)", "title": {"en": "\#(title)"}}"# }
    let removed = retired.map { #"{"id": "\#($0)"}"# }
    let json = #"{"items": [\#(items.joined(separator: ","))], "retired": [\#(removed.joined(separator: ","))]}"#
    return try ShortcutSetDocument(
        try JSON(document: Array(json.utf8)), defaultLanguage: try #require(LanguageTag("en"))
    )
    .checked()
}

func release(_ text: String, statics: Int = 0, assets: [String]? = nil) throws -> Release {
    let items = Array(repeating: #"{"type": "s", "title": "S"}"#, count: statics).joined(separator: ",")
    let images = assets.map { #"{"images": [\#($0.map { "\"\($0)\"" }.joined(separator: ","))]}"# } ?? "null"
    let json = #"{"staticItems": [\#(items)], "urlSchemes": ["notes"], "assets": \#(images)}"#
    return try ReleaseDocument(try JSON(document: Array(json.utf8))).checked(for: try build(text))
}

func endpoint(
    _ id: EndpointID, types: [EventType]? = nil, apps: [AppID]? = nil, ordered: Bool = false, enabled: Bool = true,
    createdAt: Timestamp = 1
) -> Endpoint {
    Endpoint(
        id: id, url: EndpointURL(stored: "https://hooks.example.com/\(id)"), types: types, apps: apps, ordered: ordered, enabled: enabled,
        createdAt: createdAt, secrets: SigningSecrets(current: "whsec_\(id)"))
}

extension Store {
    @discardableResult
    func makeApp(_ id: String = "com.example.notes", language: String = "en", at time: Timestamp = 1000) throws -> AppID {
        let app = App(
            id: try appID(id), name: "Notes", defaultLanguage: try #require(LanguageTag(language)), fallbackURL: nil)
        _ = try putApp(app.id, by: author(at: time)) { _ throws(Failure) in app }
        return app.id
    }

    @discardableResult
    func publish(
        _ set: ShortcutSet?, _ text: String = "1.0.0", of app: AppID, audience: Audience = .default,
        expecting writeCondition: WriteCondition = .none, until: Timestamp? = nil, at time: Timestamp = 1000
    ) throws -> PublishReceipt {
        let action = set.map(SetChange.Action.publish) ?? .delete
        let change = SetChange(
            version: try version(text), audience: audience, action: action, writeCondition: writeCondition,
            consent: .none(override: nil), until: until)
        return try publish(change, of: app, by: author(at: time))
    }

    /// The document of an export.
    func exported(_ selection: ArchiveSelection = ArchiveSelection()) throws -> [UInt8] {
        var document: [UInt8] = []
        try export(selection) { document += $0 }
        return document
    }

    /// The number of rows in a table.
    func count(_ table: String, where condition: String = "1 = 1") throws -> Int {
        try database.read { connection throws(Failure) in
            try connection.first("SELECT COUNT(*) FROM \(table) WHERE \(condition)", [], as: Int.self) ?? 0
        }
    }

    func states(of endpoint: EndpointID) throws -> [String] {
        try database.read { connection throws(Failure) in
            try connection.rows(
                "SELECT state FROM deliveries WHERE endpoint = ? ORDER BY sequence", [SQLValue(endpoint)], as: String.self)
        }
    }
}

/// One row of EXPLAIN QUERY PLAN: id, parent, notused, detail.
struct QueryPlanStep: RowReadable {
    let detail: String

    init(row: inout SQLRow) throws(Failure) {
        for _ in 0..<3 { _ = try row.integer() }
        detail = try row.read()
    }
}

/// The code of the failure that a call throws; nil if it succeeds.
func failureCode(_ call: () throws -> Void) -> Failure.Code? {
    do {
        try call()
        return nil
    } catch {
        return (error as? Failure)?.code
    }
}
