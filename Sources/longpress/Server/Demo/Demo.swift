import ArgumentParser
import Files
import Foundation
import Service

struct Demo: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the service with a sample app in a temporary database, and print commands to try.")

    @Option(help: "A file to write for a shell: address, token and database. Read it with `. FILE`.")
    var session: String?
    @OptionGroup var options: ServiceOptions

    /// Serves until a signal arrives, then deletes the store.
    func run() throws {
        try reporting {
            let values = try options.values()
            try requireNoDatabase(in: values)
            var configuration = try ServiceConfiguration(values, cores: ProcessInfo.processInfo.activeProcessorCount)
            let store = try DemoStore()
            defer { store.remove() }
            configuration.database = store.database
            let token = configuration.adminToken ?? "lp_demo_" + Randomness.id() + Randomness.id()
            configuration.adminToken = token
            try serve(configuration, token: token)
        }
    }

    private func serve(_ configuration: ServiceConfiguration, token: String) throws {
        let service = try Service(configuration)
        try SampleApp.publish(to: service.store)
        var written: ShellSession?
        defer { written?.remove() }
        try service.run {
            written = try session.map {
                try ShellSession(at: $0, address: service.address, token: token, database: configuration.database)
            }
            let tour = SampleApp.tour(
                of: service.address, admin: service.adminAddress, token: token, session: session, hasConsole: configuration.hasConsole)
            try Terminal.print(tour)
        }
    }

    /// Rejects a database from a flag or the file. A database in the environment may be meant for other commands, so it only causes a
    /// message.
    private func requireNoDatabase(in values: SettingValues) throws(ConfigurationError) {
        switch values.origin(of: .database) {
        case nil: break
        case .environment:
            printMessage("longpress: demo uses a temporary database. LONGPRESS_DATABASE is ignored.")
        case .flag, .file:
            throw ConfigurationError([
                "--database: demo always uses a temporary database. Remove the option, or run longpress serve with it."
            ])
        }
    }
}
