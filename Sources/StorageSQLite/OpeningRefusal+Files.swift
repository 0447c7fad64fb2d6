import Foundation
import GRDB
import SQL

extension OpeningRefusal {
    static func noDatabase(_ path: String) -> OpeningRefusal {
        let full = URL(fileURLWithPath: path).standardizedFileURL.path
        return OpeningRefusal(
            .noDatabase,
            "There is no database at \(path)\(full == path ? "" : " (\(full))"), and none was created. Name the service's database with "
                + "--database or LONGPRESS_DATABASE; longpress migrate creates a new one.")
    }

    static func older(_ path: String) -> OpeningRefusal {
        OpeningRefusal(
            .olderDatabase,
            "\(path) is new or was written by an older version of Longpress, and this command only reads. Run longpress migrate, or start "
                + "the service once.")
    }

    static func foreign(_ path: String) -> OpeningRefusal {
        OpeningRefusal(
            .foreignDatabase,
            "\(path) is the SQLite database of another program. Name a separate file for Longpress. This file was not changed."
        )
    }

    static func damaged(_ path: String, cause: String) -> OpeningRefusal {
        OpeningRefusal(
            .notADatabase, "\(path) is not a SQLite database, or it is damaged. Name another file, or restore a backup.",
            cause: cause)
    }

    static func cannotOpen(_ path: String, cause: String?) -> OpeningRefusal {
        OpeningRefusal(
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
        if let refusal = error as? OpeningRefusal {
            self = refusal
        } else if let error = error as? DatabaseError,
            error.resultCode == .SQLITE_NOTADB || error.resultCode == .SQLITE_CORRUPT
        {
            self = .damaged(path, cause: "\(error)")
        } else {
            self = .cannotOpen(path, cause: "\(error)")
        }
    }
}
