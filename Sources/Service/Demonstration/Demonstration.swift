import Files
import Foundation
import Shortcuts

/// `longpress demo`: a sample app in a throw-away store, and the lines to try.
package struct Demonstration {
    private let values: SettingValues
    private let session: String?

    /// - Parameter session: the path of a file to write for the shell that tries it.
    package init(_ values: SettingValues, session: String? = nil) {
        self.values = values
        self.session = session
    }

    /// Serves until it is told to stop; the store goes with it.
    package func run() throws {
        try requireNoDatabase()
        var configuration = try ServiceConfiguration(values, cores: ProcessInfo.processInfo.activeProcessorCount)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("longpress-demo-\(Randomness.requestID())")
        guard mkdir(folder.path, 0o700) == 0 else { throw FileRefusal(folder.path, cannotBe: "made") }
        defer { try? FileManager.default.removeItem(at: folder) }
        configuration.database = DatabasePath(file: folder.appendingPathComponent("longpress.sqlite").path)
        let token = configuration.adminToken ?? "lp_demo_" + Randomness.id() + Randomness.id()
        configuration.adminToken = token
        let service = try Service(configuration)
        try SampleApp.publish(to: service.store)
        var written: ShellSession?
        defer { written?.remove() }
        try service.run {
            written = try session.map {
                try ShellSession(at: $0, address: service.address, token: token, database: configuration.database)
            }
            try Terminal.print(SampleApp.tour(of: service.address, admin: service.adminAddress, token: token, session: session))
        }
    }

    /// A database that was named for the demonstration is refused. The environment may name one for other commands too: there it is
    /// said that it is left alone.
    private func requireNoDatabase() throws(ConfigurationError) {
        switch values.origin(of: .database) {
        case nil: break
        case .environment:
            Terminal.tell("longpress: demo has a store of its own that goes when it stops; LONGPRESS_DATABASE is not used.\n")
        case .flag, .file:
            throw ConfigurationError([
                "--database: demo has a store of its own that goes when it stops, and would leave this one alone. Leave it out, or run "
                    + "longpress serve with it."
            ])
        }
    }
}
