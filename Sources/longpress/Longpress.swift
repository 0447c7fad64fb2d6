import ArgumentParser
import Foundation
import Service

@main
struct Longpress: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "longpress",
        abstract: "Remote configuration of Home Screen quick actions.",
        discussion: "longpress --version prints the program's version.",
        subcommands: [
            Serve.self, Demo.self, Migrate.self, TokenCommand.self, Backup.self, Restore.self, Export.self, Import.self, Check.self,
            Bundle.self,
        ])

    /// The parser's own version flag would answer for a `check --version 3.0` that lacks another option, with exit status 0:
    /// a gate that lets everything pass. So it is the program's where it stands alone, and the release's after a command.
    static func main() {
        guard CommandLine.arguments.dropFirst() == ["--version"] else {
            for warning in UnknownVariables.warnings(in: ProcessInfo.processInfo.environment) { say("longpress: \(warning)") }
            return runCommand()
        }
        report("longpress \(Service.version)")
    }

    private static func runCommand() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            // Help and completion scripts are results too, and the parser would not notice that they cannot be written.
            guard exitCode(for: error) == .success else { exit(withError: error) }
            report(fullMessage(for: error))
        }
    }

    private static func report(_ result: String) {
        guard !result.isEmpty else { return }
        do {
            try reporting { try Terminal.print(result) }
        } catch {
            exit(withError: error)
        }
    }
}
