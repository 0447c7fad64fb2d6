/// Why a database was not opened. Its files are unchanged.
package struct OpeningRefusal: Error, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        /// It has migrations of a newer Longpress.
        case newerDatabase = "newer-database"
        case notADatabase = "not-a-database"
        /// Another program's database.
        case foreignDatabase = "foreign-database"
        case cannotOpen = "cannot-open"
        /// There is no file, and a reader does not create one.
        case noDatabase = "no-database"
        /// It lacks migrations, and a reader does not apply them.
        case olderDatabase = "older-database"
        case migrationFailed = "migration-failed"
        /// A process of the same node name lives.
        case nodeInUse = "node-in-use"
    }

    package let code: Code
    /// A sentence that names the database and the way out.
    package let description: String
    /// The underlying error, for the log only.
    package let cause: String?

    package init(_ code: Code, _ description: String, cause: String? = nil) {
        self.code = code
        self.description = description
        self.cause = cause
    }
}
