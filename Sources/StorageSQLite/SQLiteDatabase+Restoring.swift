import Files
import Foundation
import GRDB
import SQL
import Shortcuts

extension SQLiteDatabase {
    /// Checks a copy, makes what is to be restored of it beside the destination, and puts that in the destination's place in one
    /// step. The copy stays as it is.
    /// - Parameters:
    ///   - clock: its time names what is kept of the destination.
    ///   - change: what is changed in it before it appears.
    package static func restore(
        _ copy: String, to destination: String, clock: any WallClock, _ change: (any SQLConnection) throws(Failure) -> Void
    ) throws(RestoreRefusal) -> Restored {
        let target = URL(fileURLWithPath: destination).resolvingSymlinksInPath().path
        do {
            guard let applied = try appliedMigrations(ofFileAt: copy) else { throw RestoreRefusal("There is no backup at \(copy).") }
            guard !applied.isEmpty else { throw RestoreRefusal("\(copy) holds no store of Longpress's. Nothing was restored.") }
            try migrations.admit(applied, of: copy)
            let place = DestinationFiles(target)
            guard DatabaseFiles.Identity(copy) != place.identity else {
                throw RestoreRefusal("\(copy) is the database itself. Name a copy of it that longpress backup made.")
            }
            try place.requireDatabaseOrNothing()
            try requireWhole(copy)
            let file = try PartialFile(for: target)
            try Self.copy(copy, intoEmptyFile: file.path)
            try prepare(file.path, Migrator(migrations, clock: clock), change)
            try place.requireSameOwner(of: file.path)
            try writeBackLog(of: target)
            // Held until the new file is there: who opens the database meanwhile waits, and finds that it is another one.
            let hold = try DatabaseHold(target)
            defer { hold?.release() }
            let former = try place.keep(at: clock.now())
            try file.replace()
            return Restored(former: former)
        } catch let refusal as RestoreRefusal {
            throw refusal
        } catch {
            let reason =
                (error as? Failure).map { $0.cause ?? $0.detail } ?? (error as? DatabaseError).map { "\(copy): \($0)." } ?? "\(error)"
            throw RestoreRefusal("\(reason) Nothing was restored.")
        }
    }

    /// So that what stands there is whole in its one file at every step from here. A damaged one keeps its log beside it.
    private static func writeBackLog(of path: String) throws {
        // Let go before SQLite opens the file: closing a descriptor of it ends every lock that the process has on it.
        let hold = try DatabaseHold(path)
        hold?.release()
        try DatabaseHold.requireUnusedLog(of: path)
        guard hold != nil else { return }
        try? DatabaseQueue(path: path).inDatabase { _ = try $0.checkpoint(.truncate) }
    }

    private static func requireWhole(_ path: String) throws {
        let verdict = try readFile(path) { try String.fetchOne($0, sql: "PRAGMA integrity_check(1)") ?? "" }
        guard verdict == "ok" else { throw OpeningRefusal.damaged(path, cause: verdict) }
    }

    /// Leaves one file without a log beside it.
    private static func prepare(
        _ path: String, _ migrator: Migrator, _ change: (any SQLConnection) throws(Failure) -> Void
    ) throws {
        defer { for suffix in ["-wal", "-shm"] { unlink(path + suffix) } }
        var configuration = Configuration()
        (configuration.readers, configuration.busyTimeout) = (1, .seconds(1))
        let database = try open(path, configuration, migrator).database
        try database.transaction(change)
        try database.settle()
        try database.close()
    }
}

/// What a restore has done.
package struct Restored: Sendable {
    /// Where what stood at the destination is now; nil where nothing stood there.
    package let former: String?
}

/// Why nothing was restored. What stands at the destination is as it was.
package struct RestoreRefusal: Error, Sendable, CustomStringConvertible {
    /// A sentence that names the files and the way out.
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
