import QuickActions

/// Reads the member `drafts` of an app in an export.
struct ArchivedDraftsReader {
    /// Every item needs a title in this language; nil if it could not be read.
    private let defaultLanguage: LanguageTag?

    init(titlesIn language: LanguageTag?) {
        defaultLanguage = language
    }

    /// - Returns: the drafts by audience and version. A draft that has a time (schema 1) is returned as a scheduled publish.
    func read(_ document: CheckedObject) -> (drafts: [Draft], scheduled: [ScheduleEntry]) {
        let read = document.list("drafts") { json, path in draft(json, at: path, document.checker) }
        var seen: Set<SetName> = []
        for key in read.map({ SetName($0.draft) }) where !seen.insert(key).inserted {
            document.checker.note(
                "duplicate-id", at: document.path(of: "drafts"), "The draft of \(key.inWords) occurs twice. Remove one of them.")
        }
        let ordered = read.sorted { SetName($0.draft) < SetName($1.draft) }
        return (ordered.filter { $0.scheduled == nil }.map(\.draft), ordered.compactMap(\.scheduled))
    }

    private func draft(
        _ json: JSON, at path: DocumentPath, _ checker: DocumentChecker
    ) -> (draft: Draft, scheduled: ScheduleEntry?)? {
        let known = ArchivedDraftsReader.members.union(["version", "audience", "at", "scheduledBy", "incomplete"])
        guard let document = checker.object(json, at: path, known: known) else { return nil }
        let key = SetName(document)
        let at = document.optional("at", checker.instant)
        let scheduledBy = document.optional("scheduledBy", checker.tokenName)
        let incomplete = document.optional("incomplete") { content(incomplete: $0, at: $1, checker) }
        guard var draft = content(of: document, for: key), let key else { return nil }
        draft.incomplete = incomplete?.incomplete
        let entry = at.map { at in
            ScheduleEntry(
                id: "draft-\(key.audience)-\(key.version)", version: key.version, audience: key.audience, at: at,
                action: .publish(draft, override: nil), automaticRevert: nil,
                author: Author(token: scheduledBy?.string ?? draft.savedBy, address: "", request: "", at: draft.savedAt))
        }
        return (draft, entry)
    }

    private func content(incomplete json: JSON, at path: DocumentPath, _ checker: DocumentChecker) -> DraftContent? {
        guard let defaultLanguage else { return nil }
        do throws(Failure) {
            return try DraftContent(incomplete: json, defaultLanguage: defaultLanguage)
        } catch {
            for violation in error.asViolations(at: path.description) { checker.note(violation) }
            return nil
        }
    }

    /// The members that drafts and scheduled publishes share.
    static let members: Set = ["savedAt", "savedBy", "savers", "approvals", "set", "applied"]

    /// `editorIDs` and `approvals`, which older exports have, are checked and then dropped: the importer becomes the only editor.
    /// - Parameter key: nil if it could not be read; then the result is nil.
    func content(of document: CheckedObject, for key: SetName?) -> Draft? {
        let checker = document.checker
        let savedAt = document.required("savedAt", checker.instant)
        let savedBy = document.required("savedBy", checker.tokenName)
        _ = document.list("savers", checker.tokenName)
        let approvals = document.list("approvals", checker.approval)
        let set = document.required("set") { json, path in
            ShortcutSetDocument(json, titlesIn: defaultLanguage).read(checker, at: path)
        }
        let applied = document.optional("applied") { json, path in
            ShortcutSetDocument(json, titlesIn: nil).read(checker, at: path)
        }
        var givers: Set<TokenID> = []
        for approval in approvals where !givers.insert(approval.tokenID).inserted {
            checker.note(
                "duplicate-id", at: document.path(of: "approvals"),
                "The token \(quoted(approval.tokenID.description)) has approved twice. Remove one of the approvals.")
        }
        guard let key, let savedAt, let savedBy, let set else { return nil }
        var draft = Draft(
            version: key.version, audience: key.audience, set: set, tag: "", savedAt: savedAt, savedBy: savedBy.string)
        draft.applied = applied
        return draft
    }
}

extension DocumentChecker {
    fileprivate func approval(_ json: JSON, at path: DocumentPath) -> Approval? {
        guard let document = object(json, at: path, known: ["id", "token", "owner", "at"]) else { return nil }
        let id = document.required("id", tokenName)
        let token = document.required("token", tokenName)
        _ = document.optional("owner", tokenName)
        let at = document.required("at", instant)
        guard let id, let token, let at else { return nil }
        return Approval(tokenID: TokenID(id.string), token: token.string, at: at)
    }
}
