import Foundation
import Shortcuts
import Storage

/// `longpress demo`: a sample app in a throw-away store, and the lines to try.
package struct Demonstration {
    private let values: SettingValues

    package init(_ values: SettingValues) {
        self.values = values
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
        try service.run { printNow(SampleApp.tour(of: service.address, admin: service.adminAddress, token: token)) }
    }
}
