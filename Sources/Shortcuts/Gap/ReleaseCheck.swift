import QuickActions

/// The check of a release gate: the violations and warnings that a publish of the set would have if the candidate were the app's only
/// release. Pure; nothing is written.
package struct ReleaseCheck: Sendable {
    /// The set that the candidate is checked with.
    package enum Proposal: Sendable {
        /// The set in effect for the candidate's version.
        case inEffect
        /// A set, as if it were published for the candidate's version.
        case set(ShortcutSet)
        /// A draft, as if it were published now.
        case draft(Draft)
        /// A document that is not a valid set.
        case refused([Violation])
    }

    package struct Findings: Sendable {
        /// The violations of the Info.plist; paths are its keys.
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

    /// - Parameter known: see `AppReader.publishedIDs`.
    /// - Throws: what `known` throws. Flaws of the release are findings.
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
        // Only the candidate: other releases had their warnings when they were imported or checked.
        let isolated = AppSnapshot(app: snapshot.app, timelines: snapshot.timelines, releases: [release].compactMap { $0 })
        let context = SetContext(
            subject.set, from: subject.from, in: subject.timeline, of: isolated,
            known: try known(subject.set.succeededIDs, subject.timeline.audience))
        let knowsSchemes = candidate.knowsSchemes(in: snapshot)
        let former = snapshot.releases.first { $0.id == release?.id }
        return Findings(
            plistViolations: plistViolations, setViolations: violations(of: subject),
            warnings: context.warnings.filter { knowsSchemes || $0.code != "scheme-undeclared" } + languageWarnings(of: subject)
                + (release?.warnings(after: former) ?? []))
    }

    /// A set, with the version and timeline in which it is or would be published.
    private struct Subject {
        let set: ShortcutSet
        let from: AppVersion
        let timeline: Timeline
    }

    private func languageWarnings(of subject: Subject) -> [Warning] {
        let old = subject.timeline.set(startingAt: subject.from)?.set.languageWarnings ?? []
        return Warning.marked(subject.set.languageWarnings, newSince: old)
    }

    /// The violations that would make a publish fail.
    private func violations(of subject: Subject) -> [Violation] {
        violations(at: "") { () throws(Failure) in try subject.set.requireTitles(in: snapshot.app.defaultLanguage) }
            + violations(at: "") { () throws(Failure) in try subject.timeline.requireNoReusedIDs(in: subject.set, from: subject.from) }
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
            message: "No set is in effect for version \(id.version) and audience \(audience). Publish a set, or pass the set to check.")
    }
}

extension Failure {
    /// The violations. A failure without any becomes one violation of the document at `path`.
    func asViolations(at path: String) -> [Violation] {
        violations.isEmpty ? [Violation(path: path, code: code.rawValue, message: detail)] : violations
    }
}

extension ShortcutSet {
    /// Warns of enabled items that lack a title language which other enabled items have: in that language, the menu would mix two
    /// languages.
    fileprivate var languageWarnings: [Warning] {
        let languages = Set(enabledItems.flatMap { $0.titles.rows.map(\.language) }).sorted()
        return items.enumerated().filter(\.element.isEnabled).flatMap { index, item in
            languages.filter { item.titles[$0] == nil }.map { language in
                let path = DocumentPath.root["items"][index]["title"][Text(language.description)]
                return Warning(
                    path: path, code: "title-language-missing", about: [item.id.description, language.description],
                    message: "\(path) is missing, but other items have a title in \(language). This item would be shown in the app's "
                        + "default language.")
            }
        }
    }
}
