import Foundation
import GRDB
import Platform
import Shortcuts
import Storage

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
    var writeError: String? {
        guard Identity(path) == file else { return wasReplaced }
        for path in [path, path + "-wal"] where access(path, W_OK) != 0 && errno != ENOENT {
            return "\(FileError(path, cannotBe: "written"))"
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

extension OpeningError {
    static func noDatabase(_ path: String) -> OpeningError {
        let full = URL(fileURLWithPath: path).standardizedFileURL.path
        return OpeningError(
            .noDatabase,
            "There is no database at \(path)\(full == path ? "" : " (\(full))"), and none was created. Set the service's database with "
                + "--database or LONGPRESS_DATABASE; longpress migrate creates a new one.")
    }

    static func older(_ path: String) -> OpeningError {
        OpeningError(
            .olderDatabase,
            "\(path) is new or was written by an older version of Longpress, and this command only reads. Run longpress migrate, or start "
                + "the service once.")
    }

    static func foreign(_ path: String) -> OpeningError {
        OpeningError(
            .foreignDatabase,
            "\(path) is the SQLite database of another program. Use a separate file for Longpress. This file was not changed."
        )
    }

    static func damaged(_ path: String, cause: String) -> OpeningError {
        OpeningError(
            .notADatabase, "\(path) is not a SQLite database, or it is damaged. Use another file, or restore a backup.",
            cause: cause)
    }

    static func cannotOpen(_ path: String, cause: String?) -> OpeningError {
        OpeningError(
            .cannotOpen,
            "\(path) cannot be opened for writing. Check that its folder exists, that this user may write to both, and that no other "
                + "program has locked it.", cause: cause)
    }

    init(_ path: String, _ error: MigrationFailure) {
        guard error.failure.code != .storageUnavailable else {
            self = .cannotOpen(path, cause: error.failure.cause)
            return
        }
        self.init(
            .migrationFailed,
            "\(path) could not be migrated: migration \(error.migration.version) (\(error.migration.name)) failed and was rolled back. "
                + "Keep a copy of the file. The log has the cause.", cause: error.failure.cause)
    }

    init(_ path: String, _ error: any Error) {
        if let refusal = error as? OpeningError {
            self = refusal
        } else if let error = error as? DatabaseError,
            error.resultCode == .SQLITE_NOTADB || error.resultCode == .SQLITE_CORRUPT
        {
            self = .damaged(path, cause: error.cause)
        } else {
            self = .cannotOpen(path, cause: "\(error)")
        }
    }
}
