import QuickActions

/// The members `lastRevision` and `revisions` of an app in an export.
struct RevisionHistoryDocument {
    private let document: CheckedObject

    init(_ document: CheckedObject) {
        self.document = document
    }

    func read(_ checker: inout DocumentChecker, of app: AppID) -> RevisionHistory {
        let revisions = document.list("revisions", &checker, revision)
        let last = document.required("lastRevision", &checker) { checker, json, path in
            checker.integer(json, at: path, in: 0...RevisionHistory.greatestNumber)
        }
        for (former, revision) in zip(revisions, revisions.dropFirst()) where revision.number <= former.number {
            checker.note(
                "revision-order", at: document.path(of: "revisions"),
                "Revision \(revision.number) follows \(former.number): numbers only grow.")
        }
        if let last, let highest = revisions.map(\.number).max(), highest > last {
            checker.note(
                "revision-order", at: document.path(of: "lastRevision"),
                "lastRevision is \(last) and there is a revision \(highest): it must be the highest number that was ever given.")
        }
        return RevisionHistory(app: app, lastRevision: last ?? 0, revisions: revisions)
    }

    private func revision(_ checker: inout DocumentChecker, _ json: JSON, _ path: DocumentPath) -> Revision? {
        let known: Set = ["revision", "kind", "version", "audience", "publishedAt", "by", "set"]
        guard let document = checker.object(json, at: path, known: known) else { return nil }
        let number = document.required("revision", &checker) { checker, json, path in
            checker.integer(json, at: path, in: 1...RevisionHistory.greatestNumber)
        }
        let kind = document.required("kind", &checker, kind)
        let place = ArchivedPlace(document, &checker)
        let publishedAt = document.required("publishedAt", &checker) { checker, json, path in checker.instant(json, at: path) }
        let by = document.required("by", &checker) { checker, json, path in checker.tokenName(json, at: path) }
        // Titles are looked for where the set stands: the app's default language may have been another one then.
        let set = document.optional("set", &checker) { checker, json, path in
            ShortcutSetDocument(json, titlesIn: nil).read(&checker, at: path)
        }
        if let kind, (kind == .published) != document.has("set") {
            checker.note(
                "revision-content", at: document.path(of: "set"),
                "A revision of the kind published has a set, one of the kind deleted has none.")
        }
        guard let number, let kind, let place, let publishedAt, let by else { return nil }
        return Revision(
            number: number, kind: kind, version: place.version, audience: place.audience, publishedAt: publishedAt, by: by.string,
            set: set)
    }

    private func kind(_ checker: inout DocumentChecker, _ json: JSON, _ path: DocumentPath) -> Revision.Kind? {
        let rule = { (text: String) in "\(quoted(text)) is not a kind of revision. Use published or deleted." }
        return checker.parsed(json, at: path, "kind-unknown", rule) { Revision.Kind(rawValue: $0) }
    }
}
