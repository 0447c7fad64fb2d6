import Foundation
import Shortcuts
import Storage

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
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("longpress-demo-\(Randomness.requestID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = try ServiceConfiguration(values, cores: ProcessInfo.processInfo.activeProcessorCount)
        configuration.database = DatabasePath(folder.appendingPathComponent("longpress.sqlite").path)
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
            printNow(SampleApp.tour(of: service.address, admin: service.adminAddress, token: token, session: session))
        }
    }
}
