import Files
import Foundation
import GRDB
import SQL
import Shortcuts

/// The device and inode numbers of the opened files, to compare with the files at the same paths now.
///
/// SQLite continues to write to a file that was moved or deleted. Such writes are lost when the process ends.
struct DatabaseFiles: Sendable {
    struct Identity: Equatable {
        let device: UInt
        let number: UInt

        /// Nil if the file does not exist.
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

    /// Called after the database was opened.
    init(_ path: String) {
        self.path = path
        file = Identity(path)
        log = Identity(path + "-wal")
    }

    /// Why the opened files cannot be written, according to stat(2) and access(2); nil if they can.
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

    /// Runs `write` only while the path still names the opened file. If the write-ahead log was deleted, a checkpoint moves the committed
    /// data into the file before this returns.
    func durably<Result>(in pool: DatabasePool, _ write: () throws -> Result) throws -> Result {
        guard Identity(path) == file else {
            throw Failure.storageUnavailable(cause: wasReplaced)
        }
        let result = try write()
        if Identity(path + "-wal") != log { try pool.writeWithoutTransaction { _ = try $0.checkpoint(.full) } }
        return result
    }
}
