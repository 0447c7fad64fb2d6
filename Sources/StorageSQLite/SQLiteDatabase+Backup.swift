import Foundation
import GRDB
import Platform
import QuickActions
import Shortcuts
import Storage

extension SQLiteDatabase {
    /// Copies one snapshot of a database, defragmented, while other connections read and write it. The destination appears complete or not
    /// at all. It has mode 0600, because it contains signing secrets.
    package static func backup(_ source: String, to destination: String) throws(BackupError) {
        let files = FileManager.default
        guard files.fileExists(atPath: source) else {
            throw BackupError("There is no database at \(source).")
        }
        guard !files.fileExists(atPath: destination) else {
            throw BackupError("\(destination) already exists and was not changed. Name a new file.")
        }
        do {
            let file = try PartialFile(for: destination)
            try copy(source, intoEmptyFile: file.path)
            try file.createTarget()
        } catch let error as FileError {
            throw BackupError("\(source) was not copied. \(error)")
        } catch {
            let reason = (error as? DatabaseError)?.message ?? "unknown reason"
            throw BackupError(
                "\(source) could not be copied to \(destination) (\(reason)). No file was created.", cause: "\(error)")
        }
    }

    /// VACUUM INTO writes to an empty file or a new one (sqlite.org/lang_vacuum.html).
    static func copy(_ source: String, intoEmptyFile path: String) throws {
        try withFileForReading(source) { queue in
            try queue.inDatabase { database in try database.execute(sql: "VACUUM INTO ?", arguments: [path]) }
        }
    }
}

/// Why the backup failed.
package struct BackupError: Error, Sendable, CustomStringConvertible {
    /// A sentence that names the files and the remedy.
    package let description: String
    /// The underlying error, for the log only.
    package let cause: String?

    package init(_ description: String, cause: String? = nil) {
        self.description = description
        self.cause = cause
    }
}

extension SQLiteDatabase {
    /// Checks a backup, prepares a copy of it beside the destination, and replaces the destination with the copy by rename(2). The backup
    /// is not changed.
    /// - Parameters:
    ///   - clock: its time is part of the name under which the previous database is saved.
    ///   - change: applied to the prepared copy.
    package static func restore(
        _ copy: String, to destination: String, clock: any WallClock, _ change: (any SQLConnection) throws(Failure) -> Void
    ) throws(RestoreError) -> Restored {
        let target = URL(fileURLWithPath: destination).resolvingSymlinksInPath().path
        do {
            guard let applied = try appliedMigrations(ofFileAt: copy) else { throw RestoreError("There is no backup at \(copy).") }
            guard !applied.isEmpty else { throw RestoreError("\(copy) is not a database of Longpress. Nothing was restored.") }
            try migrations.requireKnown(applied, of: copy)
            let place = RestoreDestination(target)
            guard DatabaseFiles.Identity(copy) != place.identity else {
                throw RestoreError("\(copy) is the database itself. Use a copy from longpress backup.")
            }
            try place.requireDatabaseOrNothing()
            try requireWhole(copy)
            let file = try PartialFile(for: target)
            try Self.copy(copy, intoEmptyFile: file.path)
            try prepare(file.path, Migrator(migrations, clock: clock), change)
            try place.matchOwner(of: file.path)
            try checkpoint(target)
            // Held until the new file is in place: a process that opens the database now waits, and then finds it replaced.
            let lock = try DatabaseLock(target)
            defer { lock?.release() }
            let previous = try place.keep(at: clock.now())
            try file.moveToTarget()
            do throws(FileError) {
                try file.synchronizeFolder()
            } catch {
                throw RestoreError(
                    "\(copy) was restored to \(target), but a power failure can undo it. \(error) Check the disk, and restore again.")
            }
            return Restored(previous: previous)
        } catch let refusal as RestoreError {
            throw refusal
        } catch {
            let cause = (error as? Failure).map { $0.cause ?? $0.detail } ?? (error as? DatabaseError).map { $0.message ?? "\($0)" }
            let reason = cause.map { "\(copy) cannot be restored to \(target) (\($0))." } ?? "\(error)"
            throw RestoreError("\(reason) Nothing was restored.")
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
        guard verdict == "ok" else { throw OpeningError.damaged(path, cause: verdict) }
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
    package let previous: String?
}

/// Why the restore failed. The destination is unchanged, unless the sentence says that it was restored.
package struct RestoreError: Error, Sendable, CustomStringConvertible {
    /// A sentence that names the files and the remedy.
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// The path to which a database is restored: its file, and the logs beside the file, which belong only to this file.
struct RestoreDestination {
    private let path: String

    init(_ path: String) {
        self.path = path
    }

    var identity: DatabaseFiles.Identity? { DatabaseFiles.Identity(path) }

    /// Throws unless the path names a SQLite database, an empty file or nothing. A device, a pipe or another file is not replaced.
    ///
    /// Must not be called while this process has the database open: closing a descriptor releases its locks (POSIX `fcntl`).
    func requireDatabaseOrNothing() throws {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT else { throw FileError(path, cannotBe: "examined") }
            return
        }
        // Checked before open(2), which blocks on a pipe and may have effects on a device.
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw RestoreError("\(path) is not a regular file and was not replaced. Use the path of the database. Nothing was restored.")
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileError(path, cannotBe: "read") }
        defer { close(descriptor) }
        var header = [UInt8](repeating: 0, count: Self.header.count)
        let count = read(descriptor, &header, header.count)
        guard count >= 0 else { throw FileError(path, cannotBe: "read") }
        guard count == 0 || header == Self.header else {
            throw RestoreError(
                "\(path) is not a SQLite database and was not replaced. Use the path of the database, or move the file away. Nothing was "
                    + "restored.")
        }
    }

    /// The first bytes of every SQLite database (sqlite.org/fileformat.html, section 1.3.1).
    private static let header = Array("SQLite format 3\0".utf8)

    /// Hard-links the file, and a log that could not be checkpointed, to second names in the same folder. Then unlinks the logs.
    ///
    /// If the process is killed at any step, the previous database is complete under one of its two names.
    /// - Returns: the second name of the file, or of its log if there was no file; nil if there was neither.
    func keep(at time: Timestamp) throws(FileError) -> String? {
        let previous = freeName(at: time)
        var kept: [String] = []
        for suffix in ["", "-wal", "-journal"] {
            if link(path + suffix, previous + suffix) == 0 {
                kept.append(previous + suffix)
            } else if errno != ENOENT {
                throw FileError(previous + suffix, cannotBe: "made")
            }
        }
        try PartialFile.synchronize(PartialFile.folder(of: path))
        for suffix in ["-wal", "-journal", "-shm"] { unlink(path + suffix) }
        return kept.first
    }

    /// When run by root, gives the new file the owner of the previous file, or of the folder, so that the service can open it.
    func matchOwner(of file: String) throws(FileError) {
        var status = stat()
        guard geteuid() == 0, stat(path, &status) == 0 || stat(PartialFile.folder(of: path), &status) == 0 else { return }
        guard chown(file, status.st_uid, status.st_gid) == 0 else { throw FileError(file, cannotBe: "given to its owner") }
    }

    /// `longpress.sqlite.previous-20261122T054501Z`
    private func freeName(at time: Timestamp) -> String {
        let stamp = time.shortText.filter { $0 != "-" && $0 != ":" }
        let name = "\(path).former-\(stamp)"
        let names = [name] + (2...100).map { "\(name)-\($0)" }
        return names.first { name in ["", "-wal", "-journal"].allSatisfy { DatabaseFiles.Identity(name + $0) == nil } } ?? name
    }
}
