/// Why a database was not opened. Its files are unchanged.
package struct OpeningError: Error, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        /// It has migrations of a newer Longpress.
        case newerDatabase = "newer-database"
        case notADatabase = "not-a-database"
        /// It belongs to another program.
        case foreignDatabase = "foreign-database"
        case cannotOpen = "cannot-open"
        /// The file does not exist, and a reader does not create it.
        case noDatabase = "no-database"
        /// It lacks migrations, and a reader does not apply them.
        case olderDatabase = "older-database"
        case migrationFailed = "migration-failed"
        /// A process with the same node name lives.
        case nodeInUse = "node-in-use"
    }

    package let code: Code
    /// A sentence that names the database and the remedy.
    package let description: String
    /// The underlying error, for the log only.
    package let cause: String?

    package init(_ code: Code, _ description: String, cause: String? = nil) {
        self.code = code
        self.description = description
        self.cause = cause
    }
}
