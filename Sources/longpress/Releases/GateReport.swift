import QuickActions
import Remote

/// The findings of a release check as text, JSON or annotations of GitHub Actions.
struct GateReport {
    enum Format: String, CaseIterable {
        case human, json, github
    }

    private let release: NamedRelease
    private let findings: GateFindings
    /// The number of findings that the baseline accepts.
    private let accepted: Int

    /// - Parameter accepted: findings that are left out.
    init(_ release: NamedRelease, _ findings: GateFindings, accepted: AcceptedFindings?) {
        self.release = release
        self.findings = findings.without { accepted?.contain($0, about: release.id) ?? false }
        self.accepted = findings.count - self.findings.count
    }

    func isPassed(_ strictness: Check.Strictness?) -> Bool {
        guard findings.violations.isEmpty else { return false }
        return switch strictness {
        case nil: true
        case .strict: findings.warnings.isEmpty
        case .strictNew: findings.warnings.allSatisfy { !$0.finding.isNew }
        }
    }

    func text(_ format: Format) -> String {
        switch format {
        case .human: human
        case .json: String(decoding: json.encoded, as: UTF8.self)
        case .github: annotations.joined(separator: "\n")
        }
    }

    private var json: JSON {
        [
            "release": .string(release.id), "violations": .array(findings.violations.map(\.finding.json)),
            "warnings": .array(findings.warnings.map { $0.finding.json.adding("new", .boolean($0.finding.isNew)) }),
        ]
    }

    private var human: String {
        let lines =
            findings.violations.map { "violation  \($0.place)\($0.finding.sentence) [\($0.finding.code)]" }
            + findings.warnings.map {
                "warning    \($0.place)\($0.finding.sentence) [\($0.finding.code)\($0.finding.isNew ? "" : ", not new")]"
            }
        let counts = "\(counted(findings.violations.count, "violation")), \(counted(findings.warnings.count, "warning"))"
        let newOnes = findings.warnings.count { $0.finding.isNew }
        let share = newOnes == findings.warnings.count ? "" : " (\(newOnes == 0 ? "none" : "\(newOnes)") new)"
        let others = accepted == 0 ? "" : ", \(accepted) accepted"
        return (lines + ["\(release.app) \(release.id): \(counts)\(share)\(others)"]).joined(separator: "\n")
    }

    private func counted(_ count: Int, _ noun: String) -> String {
        "\(count == 0 ? "no" : "\(count)") \(noun)\(count == 1 ? "" : "s")"
    }

    private var annotations: [String] {
        findings.violations.map { annotation("error", $0) }
            + findings.warnings.map { annotation($0.finding.isNew ? "warning" : "notice", $0) }
    }

    /// A workflow command of GitHub Actions.
    private func annotation(_ level: String, _ placed: GateFindings.Placed) -> String {
        let place = placed.file.map { "file=\($0.escapedProperty)," } ?? ""
        return "::\(level) \(place)title=\(placed.finding.code.escapedProperty)::\(placed.finding.sentence.escapedData)"
    }
}

extension GateFindings.Placed {
    /// Names the set in front of a sentence, unless the set is the default audience's.
    fileprivate var place: String {
        guard let set = finding.set, set.audience != .default else { return "" }
        return "\(set): "
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
