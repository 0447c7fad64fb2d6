import ArgumentParser
import Foundation
import Platform
import QuickActions

#if SERVER
    import Service
#endif

@main
struct Longpress: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "longpress",
        abstract: "Remote configuration of Home Screen quick actions.",
        discussion: "longpress --version prints the version. longpress help TOPIC explains a topic: \(HelpTopic.list).",
        groupedSubcommands: [
            CommandGroup(
                name: "Menu",
                subcommands: [
                    DraftCommand.self, Diff.self, PreviewCommand.self, Approve.self, Withdraw.self, Publish.self, RolloutCommand.self,
                    ScheduleCommand.self,
                    History.self, Restore.self, Search.self, Watch.self,
                ]),
            CommandGroup(name: "Git", subcommands: [Pull.self, Plan.self, Apply.self]),
            CommandGroup(
                name: "App and release",
                subcommands: [AppCommand.self, ReleaseCommand.self, Check.self, Simulate.self, Bundle.self]),
            CommandGroup(
                name: "Service",
                subcommands: serving + [TokenCommand.self, WebhookCommand.self, Audit.self, Export.self, Import.self]),
        ])

    #if SERVER
        private static let serving: [any ParsableCommand.Type] = [
            Serve.self, Demo.self, DoctorCommand.self, Migrate.self, Backup.self, Copy.self, RotateKey.self,
        ]
    #else
        private static let serving: [any ParsableCommand.Type] = []
    #endif

    /// `--version` prints the program's version only if it is the only argument. ArgumentParser's version flag would also accept a `check
    /// --version 3.0` that lacks another option, with exit status 0, and the release gate would pass.
    static func main() {
        guard CommandLine.arguments.dropFirst() == ["--version"] else {
            #if SERVER
                for warning in UnknownVariables.warnings(in: ProcessInfo.processInfo.environment) { printMessage("longpress: \(warning)") }
            #endif
            return runCommand()
        }
        report("longpress \(programVersion)")
    }

    private static func runCommand() {
        if let topic = HelpTopic(CommandLine.arguments.dropFirst()) { return report(topic.page) }
        if let misspelling = Misspelling(in: CommandLine.arguments.dropFirst(), of: self) {
            printMessage("Error: \(misspelling.message)")
            exit(withError: ExitCode.validationFailure)
        }
        do {
            // ArgumentParser cannot read a flag with an optional value.
            var command = try parseAsRoot(CommandLine.arguments.dropFirst().map { $0 == "--strict=new" ? "--strict-new" : $0 })
            try command.run()
        } catch {
            // Help and completion scripts are results too. ArgumentParser would ignore that they cannot be written.
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
