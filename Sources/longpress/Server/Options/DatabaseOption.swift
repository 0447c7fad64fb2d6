import ArgumentParser
import Foundation
import Service
import Shortcuts

/// The option of commands that work on a database.
struct DatabaseOption: ParsableArguments {
    @Option(help: ArgumentHelp(Setting.database.help))
    var database: String?

    func name() throws(ConfigurationError) -> DatabaseName {
        try DatabaseName(argument: database)
    }
}

extension DatabaseName {
    /// The database in the argument or else in the environment, with the password file in the environment if there is one.
    init(argument: String?) throws(ConfigurationError) {
        try self.init(SettingValues(flags: argument.map { [.database: $0] } ?? [:], environment: ProcessInfo.processInfo.environment))
    }
}

extension Author {
    /// The author of the command line's writes, with the current time.
    static func commandLine() -> Author {
        Author(
            token: Token.commandLineName, tokenID: TokenID(Token.commandLineName), address: "local", request: Randomness.requestID(),
            at: SystemClock().now())
    }
}
