import Files
import Foundation
import GRDB
import SQL
import Shortcuts

/// The device and inode numbers of the files that were opened, to compare with the files at the same paths now.
///
/// SQLite goes on writing to a file that was moved or deleted; such writes are lost when the process ends.
struct DatabaseFiles: Sendable {
    struct Identity: Equatable {
        let device: UInt
        let number: UInt

        /// nil where no file exists.
        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            device = UInt(status.st_dev)
            number = UInt(status.st_ino)
        }
    }

    private let path: String
    let file: Identity?
    private let log: Identity?

    /// Called once the database is open.
    init(_ path: String) {
        self.path = path
        file = Identity(path)
        log = Identity(path + "-wal")
    }

    /// Why the files that were opened cannot be written, as far as stat(2) and access(2) tell; nil where they can.
    var obstacle: String? {
        guard Identity(path) == file else { return wasReplaced }
        for path in [path, path + "-wal"] where access(path, W_OK) != 0 && errno != ENOENT {
            return "\(FileRefusal(path, cannotBe: "written"))"
        }
        return nil
    }

    private var wasReplaced: String {
        "\(path) was moved, deleted or replaced. Put the file back, or restart the service to use the new file."
    }

    /// Runs `write` only while the path still names the file that was opened. Where the write-ahead log was deleted, a checkpoint
    /// moves what was committed into the file before this returns.
    func durably<Result>(in pool: DatabasePool, _ write: () throws -> Result) throws -> Result {
        guard Identity(path) == file else {
            throw Failure.storageUnavailable(cause: wasReplaced)
        }
        let result = try write()
        if Identity(path + "-wal") != log { try pool.writeWithoutTransaction { _ = try $0.checkpoint(.full) } }
        return result
    }
}
