import QuickActions

/// An app in an export, with its releases, revisions, sets, drafts and schedule.
struct ArchivedAppDocument {
    private static let members = AppDocument.members.union(["lastRevision", "releases", "sets", "drafts", "schedule", "revisions"])

    private let json: JSON

    init(_ json: JSON) {
        self.json = json
    }

    func read(_ checker: DocumentChecker, at path: DocumentPath) -> ArchivedApp? {
        guard let document = checker.object(json, at: path, known: Self.members),
            let id = document.required("app", checker.appID)
        else { return nil }
        let app = AppDocument.read(document, id)?.app(after: nil)
        let releases = releases(document)
        let history = RevisionHistoryDocument(document).read(checker, of: id)
        let sets = PublishedSetsReader(of: history, titlesIn: app?.defaultLanguage).read(document)
        let drafts = ArchivedDraftsReader(titlesIn: app?.defaultLanguage).read(document)
        let schedule = ArchivedScheduleReader(of: history, titlesIn: app?.defaultLanguage).read(document, beside: drafts.scheduled)
        guard let app else { return nil }
        return ArchivedApp(
            app: app, releases: releases, sets: sets, drafts: drafts.drafts,
            schedule: schedule.sorted { $0.at < $1.at }, history: history)
    }

    private func releases(_ document: CheckedObject) -> [Release] {
        let releases = document.list("releases") { json, path -> Release? in
            ReleaseDocument(json).readWithVersion(document.checker, at: path)
        }
        var seen: Set<AppBuild> = []
        for release in releases where !seen.insert(release.id).inserted {
            document.checker.note(
                "duplicate-id", at: document.path(of: "releases"), "The release \(release.id) occurs twice. Remove one of them.")
        }
        return releases.sorted { AppBuild.releaseOrder($0.id, $1.id) }
    }
}

/// Reads the member `sets`: references to the revisions that are published now.
private struct PublishedSetsReader {
    /// Every item needs a title in this language; nil if it could not be read.
    private let defaultLanguage: LanguageTag?
    private let revisions: [Int64: Revision]
    /// The number of the last revision of each key. Only that revision can be published.
    private let latest: [SetKey: Int64]

    init(of history: RevisionHistory, titlesIn language: LanguageTag?) {
        defaultLanguage = language
        revisions = Dictionary(history.revisions.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        latest = Dictionary(history.revisions.map { (SetKey($0), $0.number) }, uniquingKeysWith: max)
    }

    func read(_ document: CheckedObject) -> [Revision] {
        let sets = document.list("sets") { revision($0, at: $1, document.checker) }
        var seen: Set<SetKey> = []
        for key in sets.map(SetKey.init) where !seen.insert(key).inserted {
            document.checker.note("duplicate-id", at: document.path(of: "sets"), "The set of \(key) occurs twice. Remove one of them.")
        }
        checkReusedIDs(in: sets, document.checker, at: document.path(of: "sets"))
        return sets.sorted { SetKey($0) < SetKey($1) }
    }

    private func revision(_ json: JSON, at path: DocumentPath, _ checker: DocumentChecker) -> Revision? {
        guard let document = checker.object(json, at: path, known: ["version", "audience", "revision"]) else { return nil }
        let key = SetKey(document)
        let number = document.required("revision") { json, path in
            checker.integer(json, at: path, in: 1...Int64.max)
        }
        guard let key, let number else { return nil }
        guard let revision = revisions[number], SetKey(revision) == key, latest[key] == number, let set = revision.set else {
            checker.note(
                "revision-content", at: document.path(of: "revision"),
                "\(number) is not the last published revision of \(key). Use the last one.")
            return nil
        }
        if let defaultLanguage { set.checkTitles(in: defaultLanguage, checker, at: path["set"]) }
        return revision
    }

    /// Checks each set against the earlier sets of its timeline, as a publish does.
    private func checkReusedIDs(in sets: [Revision], _ checker: DocumentChecker, at path: DocumentPath) {
        for (audience, revisions) in Dictionary(grouping: sets, by: \.audience).sorted(by: { $0.key < $1.key }) {
            let ascending = Timeline(audience: audience, sets: revisions.compactMap { PublishedSet($0) }).sets
            for (index, set) in ascending.enumerated() {
                let earlier = Timeline(audience: audience, sets: Array(ascending.prefix(index)))
                for violation in earlier.reusedIDs(in: set.set, from: set.version) {
                    checker.note(violation.code, at: path, "The set of \(set.version): \(violation.message)")
                }
            }
        }
    }
}
