import ArgumentParser
import Foundation
import Service
import Shortcuts

/// The one option that the commands beside `serve` take.
struct DatabaseOption: ParsableArguments {
    @Option(help: "The database: a path, or sqlite: and a path (longpress.sqlite).")
    var database: String?

    func path() throws(ConfigurationError) -> DatabasePath {
        try DatabasePath(
            SettingValues(flags: database.map { [.database: $0] } ?? [:], environment: ProcessInfo.processInfo.environment))
    }
}

extension Author {
    /// Who writes to a database from the command line, at this moment.
    static func commandLine() -> Author {
        Author(token: "command-line", address: "local", request: Randomness.requestID(), at: SystemClock().now())
    }
}
