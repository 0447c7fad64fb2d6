/// Why a database was not opened. It is as it was.
package struct OpeningRefusal: Error, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        /// A newer Longpress has written it.
        case newerDatabase = "newer-database"
        case notADatabase = "not-a-database"
        /// A database of another program.
        case foreignDatabase = "foreign-database"
        case cannotOpen = "cannot-open"
        /// There is none, and whoever only reads makes none.
        case noDatabase = "no-database"
        /// It lacks migrations, and whoever only reads takes none.
        case olderDatabase = "older-database"
        case migrationFailed = "migration-failed"
    }

    package let code: Code
    /// A sentence that names the database and the way out.
    package let description: String
    /// What went wrong inside, for the log only.
    package let cause: String?

    package init(_ code: Code, _ description: String, cause: String? = nil) {
        self.code = code
        self.description = description
        self.cause = cause
    }
}
