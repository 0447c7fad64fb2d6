import Files
import Foundation
import GRDB
import SQL
import Shortcuts

/// The files that were opened, known by device and number, beside what stands at their paths now.
///
/// SQLite goes on writing to a file that was moved or deleted, and what it writes there is gone with the process.
struct DatabaseFiles: Sendable {
    struct Identity: Equatable {
        let device: UInt
        let number: UInt

        /// nil where nothing stands there.
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

    /// As they are once the database is open.
    init(_ path: String) {
        self.path = path
        file = Identity(path)
        log = Identity(path + "-wal")
    }

    /// Why nothing can be written to the files that were opened, as far as the system tells without a write; nil where nothing
    /// is in the way.
    var obstacle: String? {
        guard Identity(path) == file else { return wasReplaced }
        for path in [path, path + "-wal"] where access(path, W_OK) != 0 && errno != ENOENT {
            return "\(FileRefusal(path, cannotBe: "written"))"
        }
        return nil
    }

    private var wasReplaced: String {
        "\(path) was moved, deleted or replaced. Put it back, or restart the service on what stands there now."
    }

    /// A write to the database that was opened, or to none. Where its write-ahead log was deleted meanwhile, the file itself
    /// has what was committed before this returns.
    func durably<Result>(in pool: DatabasePool, _ write: () throws -> Result) throws -> Result {
        guard Identity(path) == file else {
            throw Failure.storageUnavailable(cause: wasReplaced)
        }
        let result = try write()
        if Identity(path + "-wal") != log { try pool.writeWithoutTransaction { _ = try $0.checkpoint(.full) } }
        return result
    }
}
