import ArgumentParser
import Foundation
import Service

struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Run the service.")

    @OptionGroup var options: ServiceOptions

    func run() throws {
        try reporting {
            let configuration = try ServiceConfiguration(
                try options.values(), cores: ProcessInfo.processInfo.activeProcessorCount)
            try Service(configuration).run()
        }
    }
}

struct Demo: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the service with a sample app in a throw-away store, and print what to try with curl.")

    @OptionGroup var options: ServiceOptions

    func run() throws {
        try reporting { try Demonstration(try options.values()).run() }
    }
}

struct Migrate: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Create the database or bring it to this version.")

    @OptionGroup var options: DatabaseOption

    func run() throws {
        try reporting {
            let path = DatabasePath(options.values())
            try Maintenance(path).migrate()
            say("The database \(path) is up to date.")
        }
    }
}

struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy the database consistently, also while the service runs on it.")

    @Argument(help: "The copy's path; nothing may stand there.")
    var destination: String
    @OptionGroup var options: DatabaseOption

    func run() throws {
        try reporting {
            try Maintenance(DatabasePath(options.values())).backup(to: destination)
            say("The copy is at \(destination).")
        }
    }
}
