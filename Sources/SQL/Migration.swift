import Shortcuts

/// One step of `migrations/`, embedded in the program. A released step is never edited.
package struct Migration: Sendable {
    package let version: Int64
    package let name: String
    /// Statements in the engine's SQL. The first line may be `-- compatible-with: 5`.
    package let script: [UInt8]
    /// A program that knows this migration number, or a later one, works on a database that has this migration. Nil if a program must know
    /// this migration itself.
    package let compatibleWith: Int64?

    package init(version: Int64, name: String, script: [UInt8]) {
        self.version = version
        self.name = name
        self.script = script
        let firstLine = String(decoding: script.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        compatibleWith = firstLine.wholeMatch(of: /-- compatible-with: (\d+)\s*/).flatMap { Int64($0.output.1) }
    }
}

/// A row of `schema_migrations`.
package struct AppliedMigration: Sendable {
    package let version: Int64
    /// `Migration.compatibleWith`; nil also if the database does not have this column yet.
    package let compatibleWith: Int64?

    package init(version: Int64, compatibleWith: Int64?) {
        self.version = version
        self.compatibleWith = compatibleWith
    }
}

/// Why a migration could not be applied. It was rolled back.
package struct MigrationFailure: Error, Sendable {
    package let migration: Migration
    package let failure: Failure
}
