import ArgumentParser
import Service

@main
struct Longpress: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "longpress",
        abstract: "Remote configuration of Home Screen quick actions.",
        version: "longpress \(Service.version)",
        subcommands: [
            Serve.self, Demo.self, Migrate.self, TokenCommand.self, Backup.self, Export.self, Import.self, Bundle.self,
        ])
}
