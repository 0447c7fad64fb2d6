import Platform
import QuickActions
import Remote
import Service
import Shortcuts
import Storage

/// `longpress check`: checks a release before it is submitted, with the files of its build.
struct ReleaseGate {
    private let release: NamedRelease
    private let set: String?
    private let infoPlist: String?
    private let assets: [String]

    /// - Parameters:
    ///   - set: the path of a set document as PUT accepts it; nil for the set in effect.
    ///   - infoPlist: the path of the built Info.plist.
    ///   - assets: paths for `AssetListing`.
    init(_ release: NamedRelease, set: String?, infoPlist: String?, assets: [String]) {
        self.release = release
        self.set = set
        self.infoPlist = infoPlist
        self.assets = assets
    }

    /// The version and build in a built Info.plist.
    static func version(ofInfoPlist path: String) throws -> String {
        try InfoPlist(contents(ofInfoPlist: path)).id().description
    }

    /// Checks the release against the database without changing it.
    func report(on database: DatabaseName) throws -> GateReport {
        let store = try database.reader()
        guard let snapshot = try store.snapshot(of: release.app) else { throw Failure.unknownApp(release.app) }
        let listing = try assets.isEmpty ? nil : AssetListing(paths: assets).names
        let candidate = ReleaseCandidate(
            id: release.id, audience: release.audience, infoPlist: try infoPlist.map(Self.contents(ofInfoPlist:)),
            assets: listing.map { Release.Assets(images: $0.images, symbols: $0.symbols) })
        let document = try set.map { path in (path: path, bytes: try FileBytes.read(path, atMost: 1 << 20)) }
        let findings = try store.findings(on: candidate, in: snapshot) { () throws(Failure) in
            try document.map { document throws(Failure) in try JSON(document: document.bytes, named: document.path) }
        }
        return GateReport(title: "\(release.app) \(release.id)", findings: GateFindings(findings), set: set, infoPlist: infoPlist)
    }

    private static func contents(ofInfoPlist path: String) throws(FileError) -> [UInt8] {
        try FileBytes.read(path, atMost: 4 << 20)
    }
}

extension GateFindings {
    init(_ findings: ReleaseCheck.Findings) {
        self.init(
            plistViolations: findings.plistViolations.map(Finding.init), setViolations: findings.setViolations.map(Finding.init),
            warnings: findings.warnings.map { Finding(path: $0.path, code: $0.code, message: $0.message, isNew: $0.isNew) })
    }
}

extension Finding {
    fileprivate init(_ violation: Violation) {
        self.init(path: violation.path, code: violation.code, message: violation.message)
    }
}
