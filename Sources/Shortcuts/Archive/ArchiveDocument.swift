import QuickActions

/// The document of an import: an export that may have been edited, so every rule is checked again. It is read app by app, so that reading
/// takes little more memory than the result, whatever the size.
package struct ArchiveDocument {
    /// The document with empty arrays in place of those that were already read.
    private let json: JSON
    private let elements: Elements

    /// The elements that were read of the document's arrays.
    private final class Elements {
        let checker = DocumentChecker(acceptsAnyLanguage: true)
        var apps: [ArchivedApp] = []
        var deleted: [RevisionHistory] = []

        func read(_ name: Text, _ index: Int, _ json: JSON) {
            let path = DocumentPath.root[name][index]
            switch name {
            case "apps": if let app = ArchivedAppDocument(json).read(checker, at: path) { apps.append(app) }
            case "deletedApps": if let history = ArchiveDocument.deletedApp(json, at: path, checker) { deleted.append(history) }
            default: break
            }
        }
    }

    /// - Parameter name: the name of the document in failures.
    package init(
        _ bytes: [UInt8], named name: String = "The body", atMost maxValues: Int = JSONReader.maxValues
    ) throws(Failure) {
        let elements = Elements()
        do throws(JSONReader.ParseError) {
            json = try JSONReader.read(bytes, atMost: maxValues, element: elements.read)
        } catch {
            throw Failure(error, of: name)
        }
        self.elements = elements
    }

    package func checked() throws(Failure) -> Archive {
        let checker = DocumentChecker(acceptsAnyLanguage: true)
        let archive = read(checker)
        try checker.finish()
        guard let archive else { throw .invalidDocument([]) }
        return archive
    }

    private func read(_ checker: DocumentChecker) -> Archive? {
        defer { checker.note(allOf: elements.checker) }
        guard let document = checker.object(json, at: .root, known: ["format", "schema", "apps", "deletedApps"]) else { return nil }
        _ = document.required("format") { Self.format($0, at: $1, checker) }
        _ = document.required("schema") { Self.schema($0, at: $1, checker) }
        if !document.has("apps") { _ = document.required("apps") { json, path in checker.array(json, at: path) } }
        for name in ["apps", "deletedApps"] { _ = document.optional(name) { json, path in checker.array(json, at: path) } }
        let (apps, deleted) = (elements.apps, elements.deleted)
        var seen: Set<AppID> = []
        for id in apps.map(\.app.id) + deleted.map(\.app) where !seen.insert(id).inserted {
            checker.note("duplicate-id", at: .root["apps"], "The app \(quoted(id.description)) occurs twice. Remove one of them.")
        }
        return Archive(
            apps: apps.sorted { $0.app.id < $1.app.id }, deletedApps: deleted.sorted { $0.app < $1.app })
    }

    private static func format(_ json: JSON, at path: DocumentPath, _ checker: DocumentChecker) -> Text? {
        guard let format = checker.string(json, at: path) else { return nil }
        if format.string != Archive.format {
            checker.note(
                "format-unknown", at: path,
                "\(quoted(format.string)) is not \(quoted(Archive.format)). Send a document from GET /admin/v1/export.")
        }
        return format
    }

    private static func schema(_ json: JSON, at path: DocumentPath, _ checker: DocumentChecker) -> Int64? {
        guard let schema = checker.integer(json, at: path, in: 1...Int64.max) else { return nil }
        if !Archive.readableSchemas.contains(schema) {
            checker.note(
                "schema-unknown", at: path,
                "The document has schema \(schema), but this version of Longpress reads schemas up to \(Archive.schema). Import it with "
                    + "the version that exported it, or a later one."
            )
        }
        return schema
    }

    private static func deletedApp(
        _ json: JSON, at path: DocumentPath, _ checker: DocumentChecker
    ) -> RevisionHistory? {
        guard let document = checker.object(json, at: path, known: ["app", "lastRevision", "revisions"]) else { return nil }
        guard let id = document.required("app", checker.appID) else { return nil }
        return RevisionHistoryDocument(document).read(checker, of: id)
    }
}

/// An app in an export, with its releases, revisions, sets, drafts and schedule.
struct ArchivedAppDocument {
    private static let members = AppDocument.members.union([
        "lastRevision", "releases", "sets", "drafts", "schedule", "revisions", "applied", "candidates",
    ])

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
        let candidates = CandidatesReader(of: history, beside: sets, titlesIn: app?.defaultLanguage).read(document)
        let drafts = ArchivedDraftsReader(titlesIn: app?.defaultLanguage).read(document)
        let schedule = ArchivedScheduleReader(of: history, candidates, titlesIn: app?.defaultLanguage).read(
            document, beside: drafts.scheduled)
        let applied = document.optional("applied") { json, path in Self.applied(json, at: path, checker, of: id) }
        let icon = document.optional("icon") { json, path in Self.icon(json, at: path, checker) }
        guard var app else { return nil }
        app = app.adding(languagesOf: sets.compactMap(\.set))
        app.icon = icon?.tag
        let archived = ArchivedApp(
            app: app, releases: releases, sets: sets, candidates: candidates, drafts: drafts.drafts,
            schedule: schedule.sorted { $0.at < $1.at }, history: history, applied: applied,
            icon: icon)
        archived.checkReusedIDs(checker, at: document.path(of: "candidates"))
        return archived
    }

    private static func icon(_ json: JSON, at path: DocumentPath, _ checker: DocumentChecker) -> AppIcon? {
        guard let png = checker.base64(json, at: path, "Send the PNG, encoded in base64.") else { return nil }
        do throws(Failure) {
            return try AppIcon(png)
        } catch {
            checker.note("icon-invalid", at: path, error.violations.first?.message ?? error.detail)
            return nil
        }
    }

    private static func applied(
        _ json: JSON, at path: DocumentPath, _ checker: DocumentChecker, of id: AppID
    ) -> AppliedDocuments? {
        guard let document = checker.object(json, at: path, known: ["app", "sets"]) else { return nil }
        let app = document.optional("app") { AppDocument($0).read(checker, at: $1, for: id)?.document }
        let sets = document.optional("sets") { json, path in
            checker.entries(of: json, at: path) { name, json, path -> (SetName, ShortcutSet)? in
                let set = ShortcutSetDocument(json, titlesIn: nil).read(checker, at: path)
                return checker.setName(name, at: path).flatMap { name in set.map { (name, $0) } }
            }
        }
        return AppliedDocuments(app: app, sets: Dictionary(sets ?? [], uniquingKeysWith: { first, _ in first }))
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

extension ArchivedApp {
    /// Checks each candidate against the other sets and candidates, as its start does.
    fileprivate func checkReusedIDs(_ checker: DocumentChecker, at path: DocumentPath) {
        let timelines = snapshot.timelines
        for (name, candidate) in candidates.sorted(by: { $0.key < $1.key }) {
            for violation in timelines[name.audience]?.reusedIDs(in: candidate.set, from: name.version) ?? [] {
                checker.note(violation.code, at: path, "The candidate of \(name.inWords): \(violation.message)")
            }
        }
    }
}

/// Reads the member `candidates`: the candidates of the sets whose roll-outs run.
private struct CandidatesReader {
    private let revisions: [Int64: Revision]
    private let sets: [SetName: Revision]
    private let defaultLanguage: LanguageTag?

    init(of history: RevisionHistory, beside sets: [Revision], titlesIn language: LanguageTag?) {
        defaultLanguage = language
        revisions = Dictionary(history.revisions.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        self.sets = Dictionary(sets.map { (SetName($0), $0) }, uniquingKeysWith: { first, _ in first })
    }

    func read(_ document: CheckedObject) -> [SetName: Candidate] {
        let candidates = document.list("candidates") { candidate($0, at: $1, document.checker) }
        var (names, rollouts): (Set<SetName>, Set<RolloutID>) = ([], [])
        for (name, candidate) in candidates
        where !names.insert(name).inserted || !rollouts.insert(candidate.rollout).inserted {
            document.checker.note(
                "duplicate-id", at: document.path(of: "candidates"),
                "The candidate of \(name.inWords), or its roll-out \(candidate.rollout), occurs twice. Remove one of them.")
        }
        return Dictionary(candidates.map { ($0.name, $0.candidate) }, uniquingKeysWith: { first, _ in first })
    }

    private func candidate(_ json: JSON, at path: DocumentPath, _ checker: DocumentChecker) -> (name: SetName, candidate: Candidate)? {
        guard let document = checker.object(json, at: path, known: ["version", "audience", "revision", "id", "share", "guard"]) else {
            return nil
        }
        let name = SetName(document)
        let number = document.required("revision") { json, path in checker.integer(json, at: path, in: 1...Int64.max) }
        let id = document.required("id", checker.rolloutID)
        let share = document.required("share", checker.rolloutShare)
        let rolloutGuard = document.rolloutGuard
        guard let name, let number, let id, let share else { return nil }
        guard let published = sets[name], let revision = revisions[number], SetName(revision) == name, revision.kind == .candidate,
            revision.rollout == id, let set = revision.set, published.set?.hasSameDocument(as: set) == false
        else {
            checker.note(
                "revision-content", at: document.path(of: "revision"),
                "\(number) is not a candidate in the roll-out \(quoted(id.description)) with another content than the published set of "
                    + "\(name.inWords).")
            return nil
        }
        if let defaultLanguage { set.checkTitles(in: defaultLanguage, checker, at: path["set"]) }
        return (
            name,
            Candidate(
                rollout: id, share: share, guard: rolloutGuard, revision: number, startedAt: revision.publishedAt, by: revision.by,
                set: set)
        )
    }
}

/// Reads the member `sets`: references to the revisions that are published now.
private struct PublishedSetsReader {
    /// Every item needs a title in this language; nil if it could not be read.
    private let defaultLanguage: LanguageTag?
    private let revisions: [Int64: Revision]
    /// The number of the last revision of each key. Only that revision can be published.
    private let latest: [SetName: Int64]

    init(of history: RevisionHistory, titlesIn language: LanguageTag?) {
        defaultLanguage = language
        revisions = Dictionary(history.revisions.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        latest = Dictionary(history.revisions.filter { $0.kind != .candidate }.map { (SetName($0), $0.number) }, uniquingKeysWith: max)
    }

    func read(_ document: CheckedObject) -> [Revision] {
        let sets = document.list("sets") { revision($0, at: $1, document.checker) }
        var seen: Set<SetName> = []
        for key in sets.map(SetName.init) where !seen.insert(key).inserted {
            document.checker.note(
                "duplicate-id", at: document.path(of: "sets"), "The set of \(key.inWords) occurs twice. Remove one of them.")
        }
        checkReusedIDs(in: sets, document.checker, at: document.path(of: "sets"))
        return sets.sorted { SetName($0) < SetName($1) }
    }

    private func revision(_ json: JSON, at path: DocumentPath, _ checker: DocumentChecker) -> Revision? {
        guard let document = checker.object(json, at: path, known: ["version", "audience", "revision"]) else { return nil }
        let key = SetName(document)
        let number = document.required("revision") { json, path in
            checker.integer(json, at: path, in: 1...Int64.max)
        }
        guard let key, let number else { return nil }
        guard let revision = revisions[number], SetName(revision) == key, latest[key] == number, let set = revision.set else {
            checker.note(
                "revision-content", at: document.path(of: "revision"),
                "\(number) is not the last published revision of \(key.inWords). Use the last one.")
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
