import Foundation
import Shortcuts
import Storage
import StoragePostgres
import StorageSQLite

/// Opens the database. No other code of the service or the command knows the engine.
extension DatabaseName {
    /// The options with which a service opens its database.
    package struct Serving: Sendable {
        package let postgres: PostgresSettings
        package let node: String
        /// Called once with the reason if the service must wait for the server.
        package let waiting: @Sendable (String) -> Void
        /// Called with each server setting that allows a crash of the server's machine to lose acknowledged writes.
        package let unsafe: @Sendable (String) -> Void
    }

    /// How long a service waits at its start for an unreachable server.
    private static let serverWait = Duration.seconds(30)

    /// Opens the store, creates it if it does not exist, and migrates it to this version.
    /// - Parameters:
    ///   - publicURL: the base of the URLs in events.
    ///   - serving: for a service, which follows the commits of other nodes; nil for a command.
    package func openStore(
        _ configuration: Store.Configuration = Store.Configuration(), publicURL: String = "", serving: Serving? = nil
    ) throws(OpeningError) -> Store {
        try Store(
            openDatabase(serving), configuration: configuration, announcer: Announcer(publicURL: publicURL, makeID: Randomness.id),
            identifiers: Randomness.id)
    }

    private func openDatabase(_ serving: Serving?) throws(OpeningError) -> any SQLDatabase {
        switch self {
        case .sqlite(let path):
            return try SQLiteDatabase.open(path, clock: SystemClock())
        case .postgres(let uri):
            return try PostgresDatabase.open(
                uri: uri.text, name: description, PostgresDatabase.Configuration(serving), for: serving == nil ? .migrate : .serve,
                serverWait: serving == nil ? .zero : Self.serverWait, waiting: serving?.waiting ?? { _ in },
                unsafe: serving?.unsafe ?? { _ in })
        }
    }

    /// Opens an existing store and migrates it. For commands: a mistyped name must not create an empty store.
    package func openExistingStore(_ configuration: Store.Configuration = Store.Configuration()) throws(OpeningError) -> Store {
        switch self {
        case .sqlite(let path): try SQLiteDatabase.requireFile(at: path)
        case .postgres(let uri): try PostgresDatabase.requireStore(uri: uri.text, name: description)
        }
        return try openStore(configuration)
    }

    /// Throws while another process has the SQLite file open. Nodes on PostgreSQL are found in the database.
    package func requireUnused() throws(OpeningError) {
        if case .sqlite(let path) = self { try SQLiteDatabase.requireUnused(path) }
    }

    /// Opens the store for reading. Neither creates nor migrates it.
    package func reader() throws(OpeningError) -> StoreReader {
        StoreReader(try readerOfDatabase())
    }

    private func readerOfDatabase() throws(OpeningError) -> any SQLReader {
        switch self {
        case .sqlite(let path): try SQLiteReader(path: path)
        case .postgres(let uri): try PostgresDatabase.open(uri: uri.text, name: description, for: .readOnly)
        }
    }

    /// Copies everything of this database to another one, which must be empty; see `StoreCopy`.
    package func copy(to target: DatabaseName) throws -> StoreCopy.Report {
        guard self != target else {
            throw OpeningError(.cannotOpen, "\(self) is both the source and the target. Name two different databases.")
        }
        let source = try readerOfDatabase()
        let isNewFile = target.isMissingFile
        do {
            let database = try target.openDatabase(nil)
            let report = try StoreCopy.copy(from: source, to: database, targetName: target.description, at: SystemClock().now())
            try database.checkpoint()
            return report
        } catch {
            if isNewFile, case .sqlite(let path) = target {
                for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
            }
            throw error
        }
    }

    /// Copies a consistent snapshot of the database, also while other processes use it.
    package func backup(to destination: String) throws(BackupError) {
        guard case .sqlite(let path) = self else {
            throw BackupError("\(self) is a PostgreSQL database. Use pg_dump to copy it.")
        }
        let startedAt = Date()
        try SQLiteDatabase.backup(path, to: destination)
        // The file's time is the time of the last backup, for metrics. If it cannot be written, the backup is still good.
        let mark = Self.backupMark(of: path)
        _ = FileManager.default.fileExists(atPath: mark) || FileManager.default.createFile(atPath: mark, contents: nil)
        try? FileManager.default.setAttributes([.modificationDate: startedAt], ofItemAtPath: mark)
    }

    /// The result of a restore.
    package struct RestoreReport: Sendable {
        /// The path of the replaced database; nil if there was none.
        package let replaced: String?
        /// A line for each token that is valid again although it was revoked after the backup; nil if that is unknown.
        package let revived: [String]?
    }

    /// Replaces the database with a backup; see `Store.prepareRestored`.
    package func restore(from copy: String, dropsTokens: Bool, by author: Author) throws(RestoreError) -> RestoreReport {
        guard case .sqlite(let path) = self else {
            throw RestoreError(
                "\(self) is a PostgreSQL database. Use pg_restore or psql to restore a copy made by pg_dump.")
        }
        let replaced = try SQLiteDatabase.restore(copy, to: path, clock: SystemClock()) { connection throws(Failure) in
            try Store.prepareRestored(connection, dropsTokens: dropsTokens, by: author)
        }.previous
        guard !dropsTokens else { return RestoreReport(replaced: replaced, revived: []) }
        let revived = replaced.flatMap { replaced in
            try? Store.revivedTokens(in: SQLiteReader(path: path), replaced: SQLiteReader(uncheckedPath: replaced))
        }
        return RestoreReport(
            replaced: replaced,
            revived: revived.map { tokens in
                tokens.map { "\($0.token.id)  \($0.token.name ?? "")  revoked \($0.revokedAt.shortText) by \($0.by)" }
            })
    }

    /// Whether the database is a file that does not exist. A server's database is checked when it is opened.
    package var isMissingFile: Bool {
        switch self {
        case .sqlite(let path): !FileManager.default.fileExists(atPath: path)
        case .postgres: false
        }
    }
}

extension PostgresDatabase.Configuration {
    fileprivate init(_ serving: DatabaseName.Serving?) {
        self.init()
        guard let serving else {
            (connections, node) = (2, "command")
            return
        }
        node = serving.node
        connections = serving.postgres.connections
        poll = serving.postgres.pollInterval
        listening =
            switch serving.postgres.listening {
            case .atDatabase: .sameServer
            case .at(let uri): .server(uri: uri.text)
            case .off: .pollOnly
            }
    }
}
