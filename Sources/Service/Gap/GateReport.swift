import Shortcuts

/// What a release gate found, for a person, a program or the annotations of GitHub Actions.
package struct GateReport {
    package enum Format: String, CaseIterable {
        case human, json, github
    }

    let title: String
    let findings: ReleaseCheck.Findings
    /// The files that findings are about, where they were given.
    let set: String?
    let infoPlist: String?

    /// - Parameter strict: warnings count too.
    package func isPassed(strict: Bool) -> Bool {
        findings.violations.isEmpty && (!strict || findings.warnings.isEmpty)
    }

    package func text(_ format: Format) -> String {
        switch format {
        case .human: human
        case .json: String(decoding: findings.json.encoded, as: UTF8.self)
        case .github: annotations.joined(separator: "\n")
        }
    }

    private var human: String {
        let lines =
            findings.violations.map { "violation  \($0.sentence) [\($0.code)]" }
            + findings.warnings.map { "warning    \($0.sentence) [\($0.code)]" }
        let counts = "\(counted(findings.violations, "violation")), \(counted(findings.warnings, "warning"))"
        return (lines + ["\(title): \(counts)"]).joined(separator: "\n")
    }

    private func counted(_ found: [Violation], _ noun: String) -> String {
        "\(found.isEmpty ? "no" : "\(found.count)") \(noun)\(found.count == 1 ? "" : "s")"
    }

    private var annotations: [String] {
        findings.plistViolations.map { annotation("error", $0, in: infoPlist) }
            + findings.setViolations.map { annotation("error", $0, in: set) }
            + findings.warnings.map { annotation("warning", $0, in: set) }
    }

    /// A workflow command of GitHub Actions.
    private func annotation(_ level: String, _ finding: Violation, in file: String?) -> String {
        let place = file.map { "file=\($0.escapedProperty)," } ?? ""
        return "::\(level) \(place)title=\(finding.code.escapedProperty)::\(finding.sentence.escapedData)"
    }
}

extension Violation {
    /// The path, unless the message begins with it.
    fileprivate var sentence: String { path.isEmpty || message.hasPrefix(path) ? message : "\(path): \(message)" }
}

extension String {
    fileprivate var escapedData: String {
        replacing("%", with: "%25").replacing("\r\n", with: "%0D%0A").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    fileprivate var escapedProperty: String {
        escapedData.replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}
