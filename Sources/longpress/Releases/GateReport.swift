import QuickActions
import Remote

/// The findings of a release check as text, JSON or annotations of GitHub Actions.
struct GateReport {
    enum Format: String, CaseIterable {
        case human, json, github
    }

    let title: String
    let findings: GateFindings
    /// The path of the checked set file; nil if the set in effect was checked.
    let set: String?
    let infoPlist: String?

    /// - Parameter strict: warnings fail too.
    func isPassed(strict: Bool) -> Bool {
        findings.violations.isEmpty && (!strict || findings.warnings.isEmpty)
    }

    func text(_ format: Format) -> String {
        switch format {
        case .human: human
        case .json: String(decoding: findings.json.encoded, as: UTF8.self)
        case .github: annotations.joined(separator: "\n")
        }
    }

    private var human: String {
        let lines =
            findings.violations.map { "violation  \($0.sentence) [\($0.code)]" }
            + findings.warnings.map { "warning    \($0.sentence) [\($0.code)\($0.isNew ? "" : ", not new")]" }
        let counts = "\(counted(findings.violations.count, "violation")), \(counted(findings.warnings.count, "warning"))"
        let newOnes = findings.warnings.count(where: \.isNew)
        let share = newOnes == findings.warnings.count ? "" : " (\(newOnes == 0 ? "none" : "\(newOnes)") new)"
        return (lines + ["\(title): \(counts)\(share)"]).joined(separator: "\n")
    }

    private func counted(_ count: Int, _ noun: String) -> String {
        "\(count == 0 ? "no" : "\(count)") \(noun)\(count == 1 ? "" : "s")"
    }

    private var annotations: [String] {
        findings.plistViolations.map { annotation("error", $0, in: infoPlist) }
            + findings.setViolations.map { annotation("error", $0, in: set) }
            + findings.warnings.map { annotation($0.isNew ? "warning" : "notice", $0, in: set) }
    }

    /// A workflow command of GitHub Actions.
    private func annotation(_ level: String, _ finding: Finding, in file: String?) -> String {
        let place = file.map { "file=\($0.escapedProperty)," } ?? ""
        return "::\(level) \(place)title=\(finding.code.escapedProperty)::\(finding.sentence.escapedData)"
    }
}

extension String {
    fileprivate var escapedData: String {
        replacing("%", with: "%25").replacing("\r\n", with: "%0D%0A").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    fileprivate var escapedProperty: String {
        escapedData.replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}

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
