import QuickActions

/// The check of a release gate: the violations and warnings that a publish of a set would have if the candidate were the app's only
/// release. Pure; nothing is written.
package struct ReleaseCheck {
    /// The menu that the candidate is checked with.
    enum Proposal: Sendable {
        /// The set in effect for the candidate's version.
        case inEffect
        /// A set, as if it were published for the candidate's version.
        case set(ShortcutSet)
        /// A draft, as if it were published now.
        case draft(Draft)
        /// The set in effect in the app as a tree describes it.
        case tree(AppSnapshot)
        /// A document that is not a valid set.
        case refused([Violation])
    }

    package struct Findings: Sendable {
        struct OfSet: Sendable {
            /// Nil for a set that the request has.
            let name: SetName?
            let violations: [Violation]
            let warnings: [Warning]
        }

        /// About the Info.plist, whose paths are its keys, the tree, the bundle, and the release's static items.
        fileprivate(set) var violations: [Violation] = []
        fileprivate(set) var warnings: [Warning] = []
        fileprivate(set) var sets: [OfSet] = []

        package var json: JSON {
            func list<Found>(_ others: [Found], of own: KeyPath<OfSet, [Found]>, _ json: (Found) -> JSON) -> JSON {
                let ofSets = sets.flatMap { set in
                    set[keyPath: own].map { found in set.name.map { json(found).adding("set", .string($0.description)) } ?? json(found) }
                }
                return .array(others.map(json) + ofSets)
            }
            return [
                "violations": list(violations, of: \.violations, \.json),
                "warnings": list(warnings, of: \.warnings, \.json),
            ]
        }
    }

    private let candidate: ReleaseCandidate
    private let snapshot: AppSnapshot
    /// The candidate as a release; nil if nothing is known about it, or if its Info.plist is invalid.
    private let release: Release?
    /// The last known release before the candidate, which people have now.
    private let live: Release?
    private let known: (Set<ItemID>, Audience) throws(Failure) -> Set<ItemID>
    private(set) var findings = Findings()

    /// - Parameter known: see `AppReader.publishedIDs`.
    init(
        of candidate: ReleaseCandidate, in snapshot: AppSnapshot,
        known: @escaping (Set<ItemID>, Audience) throws(Failure) -> Set<ItemID>
    ) {
        self.candidate = candidate
        self.snapshot = snapshot
        self.known = known
        var read: Release?
        findings.violations = Self.violations(at: "infoPlist") { () throws(Failure) in read = try candidate.release(in: snapshot) }
        release = read
        live = snapshot.releases.last { AppBuild.releaseOrder($0.id, read?.id ?? candidate.id) }
        guard let release else { return }
        let previous = snapshot.releases.first { $0.id == release.id } ?? live
        findings.warnings = Warning.marked(
            release.staticItemWarnings(at: .root) + release.staticSymbolWarnings,
            newSince: previous.map { $0.staticItemWarnings(at: .root) + $0.staticSymbolWarnings } ?? [])
    }

    /// Adds the findings of an audience.
    /// - Throws: what `known` throws. Flaws of the release are findings.
    mutating func check(_ audience: Audience, by proposal: Proposal) throws(Failure) {
        let subject: Subject
        switch proposal {
        case .refused(let violations):
            return findings.sets.append(
                Findings.OfSet(name: nil, violations: violations, warnings: []))
        case .set(let set):
            subject = Subject(set, from: candidate.id.version, in: snapshot.ownTimeline(of: audience))
        case .draft(let draft):
            subject = Subject(draft.set, from: draft.version, in: snapshot.ownTimeline(of: audience))
        case .tree, .inEffect:
            guard let inEffect = effective(for: audience, of: proposal) else {
                return findings.sets.append(candidate.servesNothing(to: audience))
            }
            subject = inEffect
        }
        let old = try effective(for: audience, of: .inEffect).map { subject throws(Failure) in
            try warnings(of: subject, on: live ?? release)
        }
        let found = try warnings(of: subject, on: release)
        let isSent = if case .set = proposal { true } else { false }
        findings.sets.append(
            Findings.OfSet(
                name: isSent ? nil : subject.name, violations: violations(of: subject),
                warnings: Warning.marked(found, on: release?.id, newSince: old ?? [], on: (live ?? release)?.id)))
    }

    /// Adds the findings about the file with the menu in the app's bundle.
    mutating func check(_ bundled: BundledMenu) {
        bundled.check(in: snapshot, for: candidate.id, violations: &findings.violations, warnings: &findings.warnings)
    }

    /// Adds violations that prevent a check of the sets.
    mutating func refuse(_ violations: [Violation]) {
        findings.violations += violations
    }

    private func effective(for audience: Audience, of proposal: Proposal) -> Subject? {
        let app = if case .tree(let tree) = proposal { tree } else { snapshot }
        let timeline = app.timeline(for: audience)
        return timeline.effectiveSet(for: candidate.id.version).map { effective in
            let name = SetName(version: effective.version, audience: timeline.audience)
            return Subject(name: name, set: effective.set, timeline: timeline, current: snapshot.set(name))
        }
    }

    /// A set, in the timeline in which it is or would be published.
    fileprivate struct Subject {
        let name: SetName
        let set: ShortcutSet
        let timeline: Timeline
        /// The published set that it is or would replace.
        let current: PublishedSet?
    }

    private func warnings(of subject: Subject, on release: Release?) throws(Failure) -> [Warning] {
        let version = subject.name.version
        let ids = try known(subject.set.succeededIDs, subject.name.audience)
        // Only this release: other releases had their warnings when they were imported or checked.
        let isolated = AppSnapshot(app: snapshot.app, timelines: snapshot.timelines, releases: [release].compactMap { $0 })
        let context = SetContext(
            subject.set, from: version, in: subject.timeline, replacing: subject.current, of: isolated, known: ids,
            forgotten: subject.timeline.forgottenIDs(among: ids, at: [version])[version] ?? [])
        let knowsSchemes = release?.id != self.release?.id || candidate.knowsSchemes(in: snapshot)
        let ofPublish = context.warnings.filter { warning in
            switch warning.code {
            case "scheme-undeclared": knowsSchemes
            // `symbol-unknown` says more.
            case "asset-missing": !warning.path.hasSuffix("icon.symbol")
            default: true
            }
        }
        return ofPublish + subject.set.languageWarnings + (release?.symbolWarnings(of: subject.set) ?? [])
    }

    /// The violations that would make a publish fail.
    private func violations(of subject: Subject) -> [Violation] {
        Self.violations(at: "") { () throws(Failure) in try subject.set.requireTitles(in: snapshot.app.defaultLanguage) }
            + Self.violations(at: "") { () throws(Failure) in
                try subject.timeline.requireNoReusedIDs(in: subject.set, from: subject.name.version)
            }
    }

    private static func violations(at path: String, _ check: () throws(Failure) -> Void) -> [Violation] {
        do {
            try check()
            return []
        } catch {
            return error.asViolations(at: path)
        }
    }
}

extension ReleaseCheck.Subject {
    /// A set as if it were published at the version.
    init(_ set: ShortcutSet, from version: AppVersion, in timeline: Timeline) {
        let placed = PublishedSet(version: version, revision: 0, publishedAt: Timestamp(milliseconds: 0), by: "", set: set)
        self.init(
            name: SetName(version: version, audience: timeline.audience), set: set, timeline: timeline.replacing(version, with: placed),
            current: timeline.set(startingAt: version))
    }
}

extension ReleaseCandidate {
    fileprivate func servesNothing(to audience: Audience) -> ReleaseCheck.Findings.OfSet {
        let violation = Violation(
            path: "", code: Failure.Code.noShortcutSet.rawValue,
            message: "No set is in effect for version \(id.version) and audience \(audience). Publish a set, or pass the set to check.")
        return ReleaseCheck.Findings.OfSet(
            name: SetName(version: id.version, audience: audience), violations: [violation], warnings: [])
    }
}

extension Failure {
    /// The violations. A failure without violations becomes one violation of the document at `path`.
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
