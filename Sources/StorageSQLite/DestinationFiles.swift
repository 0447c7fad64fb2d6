import Files
import Foundation
import QuickActions
import Shortcuts

/// What stands where a database is restored to: the file, and the logs beside it, which belong to it and to no other.
struct DestinationFiles {
    private let path: String

    init(_ path: String) {
        self.path = path
    }

    var identity: DatabaseFiles.Identity? { DatabaseFiles.Identity(path) }

    /// Only a SQLite database, an empty one too, is replaced: never a device, a pipe, or a file that was named by mistake.
    ///
    /// Not to be called while this process has the database open: closing a descriptor of it ends its locks.
    func requireDatabaseOrNothing() throws {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT else { throw FileRefusal(path, cannotBe: "examined") }
            return
        }
        // Before it is opened: a pipe would wait, and a device may do something.
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw RestoreRefusal("\(path) is not a regular file and is not replaced. Name the database's path. Nothing was restored.")
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileRefusal(path, cannotBe: "read") }
        defer { close(descriptor) }
        var header = [UInt8](repeating: 0, count: Self.header.count)
        let count = read(descriptor, &header, header.count)
        guard count >= 0 else { throw FileRefusal(path, cannotBe: "read") }
        guard count == 0 || header == Self.header else {
            throw RestoreRefusal(
                "\(path) is not a SQLite database and is not replaced. Name the database's path, or move the file away. "
                    + "Nothing was restored.")
        }
    }

    /// What every SQLite database begins with (its file format, section 1.3.1).
    private static let header = Array("SQLite format 3\0".utf8)

    /// Gives the file, and a log that could not be written back, second names beside them; the logs' first names go then.
    ///
    /// A kill at any step leaves the former database whole: under its own name, or where its log stands under the new one.
    /// - Returns: the name of the file, or of its log where there was no file; nil where there was nothing.
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

    /// Run by root, it leaves a file that the service may open as it could the former one, or as it may use the folder.
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
