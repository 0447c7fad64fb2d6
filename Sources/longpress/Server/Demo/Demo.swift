import ArgumentParser
import Foundation
import Platform
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
                try ShellSession(at: $0, address: "\(service.address)", token: token, database: configuration.database)
            }
            let tour = SampleApp.tour(
                of: "\(service.address)", admin: "\(service.adminAddress)", token: token, session: session,
                hasConsole: configuration.hasConsole)
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

/// The temporary store of `longpress demo`: a new folder among the temporary files. `serve` recognizes it by its name, even after the demo
/// has removed it.
struct DemoStore {
    private static let prefix = "longpress-demo-"

    private let folder: URL

    init() throws(FileError) {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(Self.prefix + Randomness.requestID())
        guard mkdir(folder.path, 0o700) == 0 else { throw FileError(folder.path, cannotBe: "made") }
    }

    var database: DatabaseName { .sqlite(path: folder.appendingPathComponent("longpress.sqlite").path) }

    func remove() {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Rejects the store of a demo: a shell may still have its variables.
    static func requireOther(than database: DatabaseName, from origin: SettingValues.Origin?) throws(ConfigurationError) {
        guard case .sqlite(let path) = database else { return }
        let folder = URL(fileURLWithPath: path).resolvingSymlinksInPath().deletingLastPathComponent().lastPathComponent
        guard folder.hasPrefix(prefix), folder.count == prefix.count + Randomness.requestID().count else { return }
        let wayOut = origin == .environment ? "Run unset LONGPRESS_DATABASE, or set" : "Name"
        throw ConfigurationError([
            "\(path) is the temporary database of longpress demo, which is deleted when the demo stops. \(wayOut) another database with "
                + "--database."
        ])
    }
}
