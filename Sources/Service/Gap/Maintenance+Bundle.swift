import Shortcuts
import Storage

extension Maintenance {
    /// What an app of that version carries to answer without a network, as JSON.
    package func bundle(_ release: NamedRelease) throws -> String {
        guard let snapshot = try StoreReader(path.read()).snapshot(of: release.app) else {
            throw Failure.unknownApp(release.app)
        }
        guard let bundle = OfflineBundle(for: release.id, release.audience, in: snapshot) else {
            throw Failure(
                .noShortcutSet, "No set of \(release.app) is in effect for version \(release.id.version): there is nothing to carry.")
        }
        return String(decoding: bundle.json.encoded, as: UTF8.self)
    }
}
