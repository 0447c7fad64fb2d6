import QuickActions

/// A release gate: what is wrong with a set, and what a publish would warn of, as if the candidate were the newest release
/// of its version. Pure; nothing is written.
package struct ReleaseCheck: Sendable {
    /// What the release is judged by.
    package enum Proposal: Sendable {
        /// The set in effect for the version.
        case inEffect
        /// A set as if it were published for the version.
        case set(ShortcutSet)
        /// A draft as if it were published now.
        case draft(Draft)
        /// What was to be such a set, and why it is none.
        case refused([Violation])
    }

    package struct Findings: Sendable {
        /// Of the Info.plist, with its keys as paths.
        package let plistViolations: [Violation]
        package let setViolations: [Violation]
        package let warnings: [Warning]

        package var violations: [Violation] { plistViolations + setViolations }

        package var json: JSON {
            ["violations": .array(violations.map(\.json)), "warnings": .array(warnings.map(\.json))]
        }
    }

    private let candidate: ReleaseCandidate
    private let proposal: Proposal
    private let snapshot: AppSnapshot

    package init(of candidate: ReleaseCandidate, by proposal: Proposal, in snapshot: AppSnapshot) {
        self.candidate = candidate
        self.proposal = proposal
        self.snapshot = snapshot
    }

    /// - Parameter known: those of the ids that were ever published in the audience's timeline.
    /// - Throws: what `known` throws; whatever is wrong with the release is a finding.
    package func findings(
        known: (Set<ItemID>, Audience) throws(Failure) -> Set<ItemID>
    ) throws(Failure) -> Findings {
        var release: Release?
        let plistViolations = violations(at: "infoPlist") { () throws(Failure) in release = try candidate.release(in: snapshot) }
        let subject: Subject
        switch proposal {
        case .refused(let violations):
            return Findings(plistViolations: plistViolations, setViolations: violations, warnings: [])
        case .set(let set):
            subject = Subject(set: set, from: candidate.id.version, timeline: snapshot.ownTimeline(of: candidate.audience))
        case .draft(let draft):
            subject = Subject(set: draft.set, from: draft.version, timeline: snapshot.ownTimeline(of: candidate.audience))
        case .inEffect:
            let timeline = snapshot.timeline(for: candidate.audience)
            guard let effective = timeline.effectiveSet(for: candidate.id.version) else {
                return Findings(plistViolations: plistViolations, setViolations: [candidate.servesNothing], warnings: [])
            }
            subject = Subject(set: effective.set, from: effective.version, timeline: timeline)
        }
        // The app as it would be with this release alone: what others warn of was said when they came.
        let judged = AppSnapshot(app: snapshot.app, timelines: snapshot.timelines, releases: [release].compactMap { $0 })
        let context = SetContext(
            subject.set, from: subject.from, in: subject.timeline, of: judged,
            known: try known(subject.set.succeededIDs, subject.timeline.audience))
        let knowsSchemes = candidate.knowsSchemes(in: snapshot)
        return Findings(
            plistViolations: plistViolations, setViolations: violations(of: subject),
            warnings: context.warnings.filter { knowsSchemes || $0.code != "scheme-undeclared" } + warningsOfLanguages(of: subject))
    }

    /// A set in the place where it stands or would stand.
    private struct Subject {
        let set: ShortcutSet
        let from: AppVersion
        let timeline: Timeline
    }

    private func warningsOfLanguages(of subject: Subject) -> [Warning] {
        let standing = subject.timeline.set(startingAt: subject.from)?.set.warningsOfLanguages ?? []
        return subject.set.warningsOfLanguages.map { $0.beside(standing) }
    }

    /// What a publish would be refused for, all of it.
    private func violations(of subject: Subject) -> [Violation] {
        violations(at: "") { () throws(Failure) in try subject.set.requireTitles(in: snapshot.app.defaultLanguage) }
            + violations(at: "") { () throws(Failure) in try subject.timeline.requireMeaning(of: subject.set, from: subject.from) }
    }

    private func violations(at path: String, _ check: () throws(Failure) -> Void) -> [Violation] {
        do {
            try check()
            return []
        } catch {
            return error.asViolations(at: path)
        }
    }
}

extension ReleaseCandidate {
    fileprivate var servesNothing: Violation {
        Violation(
            path: "", code: Failure.Code.noShortcutSet.rawValue,
            message: "No set is in effect for version \(id.version) and audience \(audience): publish one, or give the set to judge.")
    }
}

extension Failure {
    /// What is wrong, each with its place; a failure without places is one violation of the whole.
    func asViolations(at path: String) -> [Violation] {
        violations.isEmpty ? [Violation(path: path, code: code.rawValue, message: detail)] : violations
    }
}

extension ShortcutSet {
    /// A menu in two languages: an enabled item that lacks one which others have stands among them in the default language.
    fileprivate var warningsOfLanguages: [Warning] {
        let languages = Set(enabledItems.flatMap { $0.titles.rows.map(\.language) }).sorted()
        return items.enumerated().filter(\.element.isEnabled).flatMap { index, item in
            languages.filter { item.titles[$0] == nil }.map { language in
                let path = DocumentPath.root["items"][index]["title"][Text(language.description)]
                return Warning(
                    path: path, code: "title-language-missing", about: [item.id.description, language.description],
                    message: "\(path) is missing and other items have a title in \(language): this one would stand among them in the "
                        + "app's default language.")
            }
        }
    }
}
