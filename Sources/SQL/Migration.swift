import Shortcuts

/// One step of `migrations/`, built into the program. A released step is never edited.
package struct Migration: Sendable {
    package let version: Int64
    package let name: String
    /// Statements in the engine's own SQL.
    package let script: [UInt8]

    package init(version: Int64, name: String, script: [UInt8]) {
        self.version = version
        self.name = name
        self.script = script
    }
}

/// Why a migration could not be applied. It was rolled back.
package struct MigrationFailure: Error, Sendable {
    package let migration: Migration
    package let failure: Failure
}
