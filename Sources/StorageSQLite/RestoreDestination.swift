import Files
import Foundation
import QuickActions
import Shortcuts

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
            guard errno == ENOENT else { throw FileRefusal(path, cannotBe: "examined") }
            return
        }
        // Checked before open(2), which blocks on a pipe and may have effects on a device.
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw RestoreRefusal("\(path) is not a regular file and was not replaced. Name the path of the database. Nothing was restored.")
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileRefusal(path, cannotBe: "read") }
        defer { close(descriptor) }
        var header = [UInt8](repeating: 0, count: Self.header.count)
        let count = read(descriptor, &header, header.count)
        guard count >= 0 else { throw FileRefusal(path, cannotBe: "read") }
        guard count == 0 || header == Self.header else {
            throw RestoreRefusal(
                "\(path) is not a SQLite database and was not replaced. Name the path of the database, or move the file away. Nothing was "
                    + "restored.")
        }
    }

    /// The first bytes of every SQLite database (sqlite.org/fileformat.html, section 1.3.1).
    private static let header = Array("SQLite format 3\0".utf8)

    /// Hard-links the file, and a log that could not be checkpointed, to second names in the same folder. Then unlinks the logs.
    ///
    /// If the process is killed at any step, the previous database is complete under one of its two names.
    /// - Returns: the second name of the file, or of its log if there was no file; nil if there was neither.
    func keep(at time: Timestamp) throws(FileRefusal) -> String? {
        let former = freeName(at: time)
        var kept: [String] = []
        for suffix in ["", "-wal", "-journal"] {
            if link(path + suffix, former + suffix) == 0 {
                kept.append(former + suffix)
            } else if errno != ENOENT {
                throw FileRefusal(former + suffix, cannotBe: "made")
            }
        }
        try PartialFile.synchronize(PartialFile.folder(of: path))
        for suffix in ["-wal", "-journal", "-shm"] { unlink(path + suffix) }
        return kept.first
    }

    /// When run by root, gives the new file the owner of the previous file, or of the folder, so that the service can open it.
    func requireSameOwner(of file: String) throws(FileRefusal) {
        var status = stat()
        guard geteuid() == 0, stat(path, &status) == 0 || stat(PartialFile.folder(of: path), &status) == 0 else { return }
        guard chown(file, status.st_uid, status.st_gid) == 0 else { throw FileRefusal(file, cannotBe: "given to its owner") }
    }

    /// `longpress.sqlite.former-20261122T054501Z`
    private func freeName(at time: Timestamp) -> String {
        let stamp = time.shortText.filter { $0 != "-" && $0 != ":" }
        let name = "\(path).former-\(stamp)"
        let names = [name] + (2...100).map { "\(name)-\($0)" }
        return names.first { name in ["", "-wal", "-journal"].allSatisfy { DatabaseFiles.Identity(name + $0) == nil } } ?? name
    }
}
