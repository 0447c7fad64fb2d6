import QuickActions
import Remote

/// The findings of a release check.
struct GateFindings {
    /// The violations of the Info.plist; paths are its keys.
    let plistViolations: [Finding]
    let setViolations: [Finding]
    let warnings: [Finding]

    var violations: [Finding] { plistViolations + setViolations }

    var json: JSON {
        ["violations": .array(violations.map(\.json)), "warnings": .array(warnings.map { $0.json.adding("new", .boolean($0.isNew)) })]
    }
}

extension GateFindings {
    /// A service lists all violations together. The path of a set's violation begins with a member of the set.
    init(violations: [Finding], warnings: [Finding], hasInfoPlist: Bool) {
        func isOfSet(_ finding: Finding) -> Bool {
            guard hasInfoPlist else { return true }
            if Self.plistCodes.contains(finding.code) { return false }
            return ["items", "retired", "fallbackURL"].contains { finding.path.hasPrefix($0) }
        }
        self.init(
            plistViolations: violations.filter { !isOfSet($0) }, setViolations: violations.filter(isOfSet), warnings: warnings)
    }

    private static let plistCodes: Set = ["bundle-mismatch", "version-mismatch", "not-an-app", "build-setting"]
}
