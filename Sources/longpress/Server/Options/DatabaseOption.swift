import ArgumentParser
import Foundation
import Service
import Shortcuts

/// The option of the commands that work on a database.
struct DatabaseOption: ParsableArguments {
    @Option(help: "The database: a path, sqlite: and a path, or postgres://… (longpress.sqlite).")
    var database: String?

    func name() throws(ConfigurationError) -> DatabaseName {
        try DatabaseName(
            SettingValues(flags: database.map { [.database: $0] } ?? [:], environment: ProcessInfo.processInfo.environment))
    }
}

extension Author {
    /// The author of the command line's writes, as of now.
    static func commandLine() -> Author {
        Author(token: "command-line", address: "local", request: Randomness.requestID(), at: SystemClock().now())
    }
}
