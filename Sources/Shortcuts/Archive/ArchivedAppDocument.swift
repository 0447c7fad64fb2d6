import QuickActions

/// An app in an export, with its releases, revisions, sets and drafts.
struct ArchivedAppDocument {
    private static let members = AppDocument.members.union(["lastRevision", "releases", "sets", "drafts", "revisions"])

    private let json: JSON

    init(_ json: JSON) {
        self.json = json
    }

    func read(_ checker: DocumentChecker, at path: DocumentPath) -> ArchivedApp? {
        guard let document = checker.object(json, at: path, known: Self.members),
            let id = document.required("app", checker.appID)
        else { return nil }
        let app = AppDocument.read(document, id)
        let releases = releases(document)
        let history = RevisionHistoryDocument(document).read(checker, of: id)
        let sets = StandingSets(of: history, titlesIn: app?.defaultLanguage).read(document)
        let drafts = drafts(document, titlesIn: app?.defaultLanguage)
        guard let app else { return nil }
        return ArchivedApp(app: app, releases: releases, sets: sets, drafts: drafts, history: history)
    }

    private func releases(_ document: CheckedObject) -> [Release] {
        let releases = document.list("releases") { json, path -> Release? in
            ReleaseDocument(json).readWithItsVersion(document.checker, at: path)
        }
        var seen: Set<AppBuild> = []
        for release in releases where !seen.insert(release.id).inserted {
            document.checker.note(
                "duplicate-id", at: document.path(of: "releases"), "The release \(release.id) is there twice: remove one of them.")
        }
        return releases.sorted { AppBuild.releaseOrder($0.id, $1.id) }
    }

    private func drafts(_ document: CheckedObject, titlesIn language: LanguageTag?) -> [Draft] {
        let drafts = document.list("drafts") { json, path in
            draft(json, at: path, document.checker, titlesIn: language)
        }
        var seen: Set<ArchivedPlace> = []
        for place in drafts.map(ArchivedPlace.init) where !seen.insert(place).inserted {
            document.checker.note(
                "duplicate-id", at: document.path(of: "drafts"), "The draft of \(place) is there twice: remove one of them.")
        }
        return drafts.sorted { ArchivedPlace($0) < ArchivedPlace($1) }
    }

    private func draft(
        _ json: JSON, at path: DocumentPath, _ checker: DocumentChecker, titlesIn language: LanguageTag?
    ) -> Draft? {
        let known: Set = ["version", "audience", "savedAt", "savedBy", "at", "scheduledBy", "set"]
        guard let document = checker.object(json, at: path, known: known) else { return nil }
        let place = ArchivedPlace(document)
        let savedAt = document.required("savedAt", checker.instant)
        let savedBy = document.required("savedBy", checker.tokenName)
        let at = document.optional("at", checker.instant)
        let scheduledBy = document.optional("scheduledBy", checker.tokenName)
        let set = document.required("set") { json, path in
            ShortcutSetDocument(json, titlesIn: language).read(checker, at: path)
        }
        guard let place, let savedAt, let savedBy, let set else { return nil }
        return Draft(
            version: place.version, audience: place.audience, set: set, tag: "", savedAt: savedAt, savedBy: savedBy.string,
            schedule: at.map { Draft.Schedule(at: $0, by: (scheduledBy ?? savedBy).string) })
    }
}

/// The member `sets`: which revision stands where.
private struct StandingSets {
    /// Nil where it could not be read.
    private let defaultLanguage: LanguageTag?
    private let revisions: [Int64: Revision]
    /// The last revision of each place: only it can stand there.
    private let latest: [ArchivedPlace: Int64]

    init(of history: RevisionHistory, titlesIn language: LanguageTag?) {
        defaultLanguage = language
        revisions = Dictionary(history.revisions.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        latest = Dictionary(history.revisions.map { (ArchivedPlace($0), $0.number) }, uniquingKeysWith: max)
    }

    func read(_ document: CheckedObject) -> [Revision] {
        let sets = document.list("sets") { standing($0, at: $1, document.checker) }
        var seen: Set<ArchivedPlace> = []
        for place in sets.map(ArchivedPlace.init) where !seen.insert(place).inserted {
            document.checker.note("duplicate-id", at: document.path(of: "sets"), "The set of \(place) is there twice: remove one of them.")
        }
        checkMeaning(of: sets, document.checker, at: document.path(of: "sets"))
        return sets.sorted { ArchivedPlace($0) < ArchivedPlace($1) }
    }

    private func standing(_ json: JSON, at path: DocumentPath, _ checker: DocumentChecker) -> Revision? {
        guard let document = checker.object(json, at: path, known: ["version", "audience", "revision"]) else { return nil }
        let place = ArchivedPlace(document)
        let number = document.required("revision") { json, path in
            checker.integer(json, at: path, in: 1...Int64.max)
        }
        guard let place, let number else { return nil }
        guard let revision = revisions[number], ArchivedPlace(revision) == place, latest[place] == number, let set = revision.set else {
            checker.note(
                "revision-content", at: document.path(of: "revision"),
                "\(number) is not the last published revision of \(place): name that one.")
            return nil
        }
        if let defaultLanguage { set.checkTitles(in: defaultLanguage, checker, at: path["set"]) }
        return revision
    }

    /// Ids keep their meaning within a timeline as it stands.
    private func checkMeaning(of sets: [Revision], _ checker: DocumentChecker, at path: DocumentPath) {
        for (audience, revisions) in Dictionary(grouping: sets, by: \.audience).sorted(by: { $0.key < $1.key }) {
            let standing = Timeline(audience: audience, sets: revisions.compactMap { PublishedSet($0) }).sets
            for (index, set) in standing.enumerated() {
                let earlier = Timeline(audience: audience, sets: Array(standing.prefix(index)))
                for violation in earlier.reusedIDs(of: set.set, from: set.version) {
                    checker.note(violation.code, at: path, "The set of \(set.version): \(violation.message)")
                }
            }
        }
    }
}
