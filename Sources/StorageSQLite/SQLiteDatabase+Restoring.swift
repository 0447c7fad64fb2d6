import Files
import Foundation
import GRDB
import SQL
import Shortcuts

extension SQLiteDatabase {
    /// Checks a backup, prepares a copy of it beside the destination, and replaces the destination with the copy by rename(2). The backup
    /// is not changed.
    /// - Parameters:
    ///   - clock: its time is part of the name under which the previous database is saved.
    ///   - change: applied to the prepared copy.
    package static func restore(
        _ copy: String, to destination: String, clock: any WallClock, _ change: (any SQLConnection) throws(Failure) -> Void
    ) throws(RestoreRefusal) -> Restored {
        let target = URL(fileURLWithPath: destination).resolvingSymlinksInPath().path
        do {
            guard let applied = try appliedMigrations(ofFileAt: copy) else { throw RestoreRefusal("There is no backup at \(copy).") }
            guard !applied.isEmpty else { throw RestoreRefusal("\(copy) is not a database of Longpress. Nothing was restored.") }
            try migrations.requireKnown(applied, of: copy)
            let place = RestoreDestination(target)
            guard DatabaseFiles.Identity(copy) != place.identity else {
                throw RestoreRefusal("\(copy) is the database itself. Name a copy from longpress backup.")
            }
            try place.requireDatabaseOrNothing()
            try requireWhole(copy)
            let file = try PartialFile(for: target)
            try Self.copy(copy, intoEmptyFile: file.path)
            try prepare(file.path, Migrator(migrations, clock: clock), change)
            try place.requireSameOwner(of: file.path)
            try checkpoint(target)
            // Held until the new file is in place: a process that opens the database now waits, and then finds it replaced.
            let lock = try DatabaseLock(target)
            defer { lock?.release() }
            let former = try place.keep(at: clock.now())
            try file.replaceTarget()
            return Restored(former: former)
        } catch let refusal as RestoreRefusal {
            throw refusal
        } catch {
            let reason =
                (error as? Failure).map { $0.cause ?? $0.detail } ?? (error as? DatabaseError).map { "\(copy): \($0)." } ?? "\(error)"
            throw RestoreRefusal("\(reason) Nothing was restored.")
        }
    }

    /// Moves the log of the previous database into its file, so that the file is complete from here on. A damaged database keeps its log.
    private static func checkpoint(_ path: String) throws {
        // Released before SQLite opens the file: closing a descriptor releases every lock that the process has on the file.
        let lock = try DatabaseLock(path)
        lock?.release()
        try DatabaseLock.requireUnusedLog(of: path)
        guard lock != nil else { return }
        try? DatabaseQueue(path: path).inDatabase { _ = try $0.checkpoint(.truncate) }
    }

    private static func requireWhole(_ path: String) throws {
        let verdict = try readFile(path) { try String.fetchOne($0, sql: "PRAGMA integrity_check(1)") ?? "" }
        guard verdict == "ok" else { throw OpeningRefusal.damaged(path, cause: verdict) }
    }

    /// Migrates and changes the copy. Leaves one file without -wal and -shm.
    private static func prepare(
        _ path: String, _ migrator: Migrator, _ change: (any SQLConnection) throws(Failure) -> Void
    ) throws {
        defer { for suffix in ["-wal", "-shm"] { unlink(path + suffix) } }
        var configuration = Configuration()
        (configuration.readers, configuration.busyTimeout) = (1, .seconds(1))
        let database = try open(path, configuration, migrator).database
        try database.transaction(change)
        try database.checkpoint()
        try database.close()
    }
}

/// The result of a restore.
package struct Restored: Sendable {
    /// The path of the saved previous database; nil if there was none.
    package let former: String?
}

/// Why the restore failed. The destination is unchanged.
package struct RestoreRefusal: Error, Sendable, CustomStringConvertible {
    /// A sentence that names the files and the remedy.
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
