import Files
import Foundation
import Shortcuts

/// What stands where a database is restored to: the file, and the logs beside it, which belong to it and to no other.
struct DestinationFiles {
    private let path: String

    init(_ path: String) {
        self.path = path
    }

    var identity: DatabaseFiles.Identity? { DatabaseFiles.Identity(path) }

    /// Gives the file, and a log that could not be written back, second names beside them; the logs' first names go then.
    ///
    /// A kill at any step leaves the former database whole: under its own name, or where its log stands under the new one.
    /// - Returns: that name; nil where there was nothing.
    func keep(at time: Timestamp) throws(FileRefusal) -> String? {
        let former = freeName(at: time)
        var isKept = false
        for suffix in ["", "-wal", "-journal"] {
            if link(path + suffix, former + suffix) == 0 {
                isKept = true
            } else if errno != ENOENT {
                throw FileRefusal(former + suffix, cannotBe: "made")
            }
        }
        try PartialFile.synchronize(PartialFile.folder(of: path))
        for suffix in ["-wal", "-journal", "-shm"] { unlink(path + suffix) }
        return isKept ? former : nil
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
