import QuickActions

/// The members `lastRevision` and `revisions` of an app in an export.
struct RevisionHistoryDocument {
    private let document: CheckedObject

    init(_ document: CheckedObject) {
        self.document = document
    }

    func read(_ checker: DocumentChecker, of app: AppID) -> RevisionHistory {
        let revisions = document.list("revisions") { revision($0, at: $1, checker) }
        let last = document.required("lastRevision") { json, path in
            checker.integer(json, at: path, in: 0...RevisionHistory.greatestNumber)
        }
        for (previous, revision) in zip(revisions, revisions.dropFirst()) where revision.number <= previous.number {
            checker.note(
                "revision-order", at: document.path(of: "revisions"),
                "Revision \(revision.number) follows revision \(previous.number). The numbers must increase.")
        }
        if let last, let highest = revisions.map(\.number).max(), highest > last {
            checker.note(
                "revision-order", at: document.path(of: "lastRevision"),
                "lastRevision is \(last), but there is a revision \(highest). lastRevision must be the highest number ever used.")
        }
        return RevisionHistory(app: app, lastRevision: last ?? 0, revisions: revisions)
    }

    private func revision(_ json: JSON, at path: DocumentPath, _ checker: DocumentChecker) -> Revision? {
        let known: Set = [
            "revision", "kind", "version", "audience", "publishedAt", "by", "message", "importedBy", "importedAt", "rollout", "set",
        ]
        guard let document = checker.object(json, at: path, known: known) else { return nil }
        let number = document.required("revision") { json, path in
            checker.integer(json, at: path, in: 1...RevisionHistory.greatestNumber)
        }
        let kind = document.required("kind") { self.kind($0, at: $1, checker) }
        let key = SetName(document)
        let publishedAt = document.required("publishedAt", checker.instant)
        let by = document.required("by", checker.tokenName)
        let message = document.optional("message", checker.revisionMessage)
        // Listed revisions have it. This import sets it again.
        _ = document.optional("importedBy", checker.tokenName)
        _ = document.optional("importedAt", checker.instant)
        // No title in the default language is required: the app may have had another one then. The published sets are checked elsewhere.
        let set = document.optional("set") { json, path in
            ShortcutSetDocument(json, titlesIn: nil).read(checker, at: path)
        }
        let rollout = document.optional("rollout", checker.anyString)
        if let kind, (kind != .deleted) != document.has("set") {
            checker.note(
                "revision-content", at: document.path(of: "set"),
                "A revision of the kind published or candidate must have a set, and a revision of the kind deleted must not.")
        }
        if let kind, (kind == .candidate) != document.has("rollout") {
            checker.note(
                "revision-content", at: document.path(of: "rollout"),
                "A revision of the kind candidate must have the id of its roll-out, and no other revision has one.")
        }
        guard let number, let kind, let key, let publishedAt, let by else { return nil }
        var revision = Revision(
            number: number, kind: kind, version: key.version, audience: key.audience, publishedAt: publishedAt, by: by.string,
            set: set, message: message)
        revision.rollout = rollout.map { RolloutID($0.string) }
        return revision
    }

    private func kind(_ json: JSON, at path: DocumentPath, _ checker: DocumentChecker) -> Revision.Kind? {
        let rule = { (text: String) in "\(quoted(text)) is not a kind of revision. Use published, deleted or candidate." }
        return checker.parsed(json, at: path, "kind-unknown", rule) { Revision.Kind(rawValue: $0) }
    }
}
