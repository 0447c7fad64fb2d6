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
        let previous = snapshot.releases.first { $0.id == release?.id }
        return Findings(
            plistViolations: plistViolations, setViolations: violations(of: subject),
            warnings: context.warnings.filter { knowsSchemes || $0.code != "scheme-undeclared" } + languageWarnings(of: subject)
                + (release?.warnings(after: previous) ?? []))
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

/// A release before it ships, as described to a release gate: its Info.plist, its assets, or only its version.
package struct ReleaseCandidate: Sendable {
    package let id: AppBuild
    package let audience: Audience
    /// The built Info.plist, XML or binary.
    package let infoPlist: [UInt8]?
    package let assets: Release.Assets?

    package init(id: AppBuild, audience: Audience, infoPlist: [UInt8]?, assets: Release.Assets?) {
        self.id = id
        self.audience = audience
        self.infoPlist = infoPlist
        self.assets = assets
    }

    /// The release to check: the given parts, completed by what is stored for the version.
    /// - Throws: the violations of the Info.plist.
    func release(in snapshot: AppSnapshot) throws(Failure) -> Release? {
        let stored = storedRelease(in: snapshot)
        if let infoPlist {
            let read = try InfoPlist(infoPlist).release(id, of: snapshot.app.id)
            return read.with(assets ?? stored?.assets)
        }
        // A version without a stored release is assumed to have the static items of the release before it.
        let nearest = stored ?? snapshot.release(for: id)
        guard let assets else { return nearest }
        if let stored { return stored.with(assets) }
        return Release(
            id: id, staticItems: nearest?.staticItems ?? [], urlSchemes: [], assets: assets, minimumOSVersion: nil,
            displayName: nearest?.displayName)
    }

    /// Whether the version's URL schemes are known: from a given or stored Info.plist.
    func knowsSchemes(in snapshot: AppSnapshot) -> Bool {
        infoPlist != nil || assets == nil || storedRelease(in: snapshot) != nil
    }

    private func storedRelease(in snapshot: AppSnapshot) -> Release? {
        snapshot.release(for: id).flatMap { $0.id.version == id.version ? $0 : nil }
    }
}

/// The body of a release check: `{"version", "audience"?, "set"?, "infoPlist"?, "assets"?}`.
package struct ReleaseCheckDocument {
    private let json: JSON

    package init(_ json: JSON) {
        self.json = json
    }

    /// - Returns: the candidate, and the set document before validation, because its violations are findings of the check.
    package func checked() throws(Failure) -> (candidate: ReleaseCandidate, set: JSON?) {
        let checker = DocumentChecker()
        let read = read(checker)
        try checker.finish()
        guard let read else { throw .invalidDocument([]) }
        return read
    }

    private func read(_ checker: DocumentChecker) -> (ReleaseCandidate, JSON?)? {
        let known: Set = ["version", "audience", "set", "infoPlist", "assets"]
        guard let document = checker.object(json, at: .root, known: known) else { return nil }
        let id = document.required("version", checker.appBuild)
        let audience = document.optional("audience", checker.audience)
        let set = document.optional("set") { json, _ in json }
        let infoPlist = document.optional("infoPlist") { checker.base64($0, at: $1) }
        let assets = document.optional("assets", checker.assets)
        guard let id else { return nil }
        return (ReleaseCandidate(id: id, audience: audience ?? .default, infoPlist: infoPlist, assets: assets), set)
    }
}

extension AppReader {
    /// Runs a release check for the admin plane and for the command line.
    /// - Parameter sent: reads the set document to check with, as `PUT …/sets/{version}` accepts it; nil for none. Its violations are
    ///   findings.
    package func findings(
        on candidate: ReleaseCandidate, in snapshot: AppSnapshot, sent: () throws(Failure) -> JSON?
    ) throws(Failure) -> ReleaseCheck.Findings {
        let check = ReleaseCheck(of: candidate, by: try proposal(for: candidate, in: snapshot, sent: sent), in: snapshot)
        return try check.findings { ids, audience throws(Failure) in
            try publishedIDs(among: ids, in: audience, of: snapshot.app.id)
        }
    }

    /// The set that was sent. Without one, the draft that would be in effect if it were published, else the set in effect.
    private func proposal(
        for candidate: ReleaseCandidate, in snapshot: AppSnapshot, sent: () throws(Failure) -> JSON?
    ) throws(Failure) -> ReleaseCheck.Proposal {
        let document: JSON?
        do {
            document = try sent()
        } catch {
            return .refused(error.asViolations(at: ""))
        }
        guard let document else {
            let draft = try draft(effectiveFor: candidate.id.version, candidate.audience, of: snapshot.app.id)
            let effective = snapshot.timeline(for: candidate.audience).effectiveSet(for: candidate.id.version)
            guard let draft, effective.map({ $0.version <= draft.version }) ?? true else { return .inEffect }
            return .draft(draft)
        }
        do {
            return .set(try ShortcutSetDocument(document, defaultLanguage: snapshot.app.defaultLanguage).checked())
        } catch {
            return .refused(error.asViolations(at: ""))
        }
    }
}
