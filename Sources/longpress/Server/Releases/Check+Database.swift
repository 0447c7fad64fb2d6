import ArgumentParser
import Service

extension Check {
    /// Only reads the database.
    func judgeWithDatabase() throws {
        let release = try release.named(try version ?? reporting { try ReleaseGate.version(ofInfoPlist: infoPlist ?? "") })
        try reporting {
            let gate = ReleaseGate(release, set: setPath, infoPlist: infoPlist, assets: assets)
            try conclude(try gate.report(on: try source.local.name()), failingWith: .failure)
        }
    }
}
