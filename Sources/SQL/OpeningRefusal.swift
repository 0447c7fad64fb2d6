import Foundation

/// Why a database was not opened. The file is as it was.
package struct OpeningRefusal: Error, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        /// A newer Longpress has written it.
        case newerDatabase = "newer-database"
        case notADatabase = "not-a-database"
        /// A SQLite database of another program.
        case foreignDatabase = "foreign-database"
        case cannotOpen = "cannot-open"
        /// There is no such file, and whoever only reads makes none.
        case noDatabase = "no-database"
        /// It lacks migrations, and whoever only reads takes none.
        case olderDatabase = "older-database"
        case migrationFailed = "migration-failed"
    }

    package let code: Code
    /// A sentence that names the file and the way out.
    package let description: String
    /// What went wrong inside, for the log only.
    package let cause: String?

    init(_ code: Code, _ description: String, cause: String? = nil) {
        self.code = code
        self.description = description
        self.cause = cause
    }
}

extension OpeningRefusal {
    static func noDatabase(_ path: String) -> OpeningRefusal {
        let full = URL(fileURLWithPath: path).standardizedFileURL.path
        return OpeningRefusal(
            .noDatabase,
            "There is no database at \(path)\(full == path ? "" : " (\(full))"), and none was created. Name the service's with --database "
                + "or LONGPRESS_DATABASE; longpress migrate makes a new one.")
    }

    static func older(_ path: String) -> OpeningRefusal {
        OpeningRefusal(
            .olderDatabase,
            "\(path) is new or was written by an older Longpress, and is only read here. Run longpress migrate, or start the service once.")
    }

    static func foreign(_ path: String) -> OpeningRefusal {
        OpeningRefusal(
            .foreignDatabase,
            "\(path) is the SQLite database of another program. Name a file of its own for Longpress; this one was not touched."
        )
    }

    static func damaged(_ path: String, cause: String) -> OpeningRefusal {
        OpeningRefusal(
            .notADatabase, "\(path) is not a SQLite database, or a damaged one. Name another file, or restore a backup.",
            cause: cause)
    }

    static func cannotOpen(_ path: String, cause: String?) -> OpeningRefusal {
        OpeningRefusal(
            .cannotOpen,
            "\(path) cannot be opened for writing. Check that its folder exists, that this user may write to both, and that "
                + "no other program keeps it to itself.", cause: cause)
    }
}
