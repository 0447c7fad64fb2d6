import Files
import Foundation
import Service

/// The temporary store of `longpress demo`: a new folder among the temporary files. `serve` recognizes it by its name, even after the demo
/// has removed it.
struct DemoStore {
    private static let prefix = "longpress-demo-"

    private let folder: URL

    init() throws(FileRefusal) {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(Self.prefix + Randomness.requestID())
        guard mkdir(folder.path, 0o700) == 0 else { throw FileRefusal(folder.path, cannotBe: "made") }
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
