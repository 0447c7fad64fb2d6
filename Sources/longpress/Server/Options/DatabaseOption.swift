import ArgumentParser
import Foundation
import Service
import Shortcuts

/// The option of the commands that work on a database.
struct DatabaseOption: ParsableArguments {
    @Option(help: "The database: a path, sqlite: and a path, or postgres://… (longpress.sqlite).")
    var database: String?

    func name() throws(ConfigurationError) -> DatabaseName {
        try DatabaseName(argument: database)
    }
}

extension DatabaseName {
    /// The database that the argument names, else the environment; with the password file that the environment may name.
    init(argument: String?) throws(ConfigurationError) {
        try self.init(SettingValues(flags: argument.map { [.database: $0] } ?? [:], environment: ProcessInfo.processInfo.environment))
    }
}

extension Author {
    /// The author of the command line's writes, as of now.
    static func commandLine() -> Author {
        Author(
            token: Token.commandLineName, tokenID: TokenID(Token.commandLineName), address: "local", request: Randomness.requestID(),
            at: SystemClock().now())
    }
}
