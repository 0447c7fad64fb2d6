import Service
import Shortcuts
import Storage

extension Bundle {
    /// Only reads the database.
    func bundleOfDatabase(_ release: NamedRelease) throws -> [UInt8] {
        guard let snapshot = try source.local.name().reader().snapshot(of: release.app) else { throw Failure.unknownApp(release.app) }
        guard let bundle = OfflineBundle(for: release.id, release.audience, in: snapshot) else {
            throw Failure(
                .noShortcutSet, "No set of \(release.app) is in effect for version \(release.id.version), so there is nothing to bundle.")
        }
        return bundle.json.encodedLine
    }
}
