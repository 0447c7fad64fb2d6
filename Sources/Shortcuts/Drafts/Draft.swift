import QuickActions

/// A set in preparation. It is not served.
package struct Draft: Sendable {
    package let version: AppVersion
    package let audience: Audience
    /// See `DraftContent.set`.
    package private(set) var set: ShortcutSet
    /// The document of a draft that cannot be published yet; nil if it can.
    package var incomplete: JSON?
    package var review = DraftReview.none
    /// The opaque part of its entity tag (RFC 9110 section 8.8.3). Each save makes a new one.
    package let tag: String
    package let savedAt: Timestamp
    package let savedBy: String
    /// The tokens that edited the draft. Empty if not all of them are known; then nobody may approve the draft.
    package let editorIDs: [TokenID]
    /// The approvals of this content. A save voids them.
    package internal(set) var approvals: [Approval]
    /// The revision of the set from which the draft was started, or with which its editor merged it. 0 if there was no set; nil if unknown.
    package var base: Int64?
    /// What an apply saved as this draft; nil if no apply did, or only one with `drafts=true`. It counts as sent by git once the draft is
    /// published.
    package var applied: ShortcutSet?

    package init(
        version: AppVersion, audience: Audience, set: ShortcutSet, tag: String, savedAt: Timestamp, savedBy: String,
        editorIDs: [TokenID] = [], approvals: [Approval] = []
    ) {
        self.version = version
        self.audience = audience
        self.set = set
        self.tag = tag
        self.savedAt = savedAt
        self.savedBy = savedBy
        self.editorIDs = editorIDs
        self.approvals = approvals
    }
}

extension Draft {
    /// The draft that the author saves.
    /// - Parameter previous: the draft that it replaces. Its editors remain editors. Its approvals are void.
    package init(_ content: DraftContent, _ change: DraftChange, tag: String, replacing previous: Draft?, by author: Author) {
        self.init(
            version: change.version, audience: change.audience, set: content.set, tag: tag, savedAt: author.at, savedBy: author.token,
            editorIDs: Self.editorIDs(after: previous, author.tokenID))
        incomplete = content.incomplete
        base = change.base ?? previous?.base
        applied = previous?.applied
    }

    /// Empty stays empty: if one editor is unknown, all are treated as unknown.
    private static func editorIDs(after previous: Draft?, _ editor: TokenID?) -> [TokenID] {
        guard let editor else { return [] }
        guard let previous else { return [editor] }
        return previous.editorIDs.isEmpty || previous.editorIDs.contains(editor) ? previous.editorIDs : previous.editorIDs + [editor]
    }

    /// The document as it was saved.
    package var document: JSON { incomplete ?? set.json }

    /// - Throws: `invalidDocument` with what prevents a publish of an incomplete draft.
    package func completed(in language: LanguageTag) throws(Failure) -> Draft {
        guard let incomplete else { return self }
        var draft = self
        (draft.set, draft.incomplete) = (try ShortcutSetDocument(incomplete, defaultLanguage: language).checked(), nil)
        return draft
    }

    package func hasSameDocument(as set: ShortcutSet) -> Bool { incomplete == nil && self.set.hasSameDocument(as: set) }

    package func hasSameDocument(as content: DraftContent) -> Bool {
        guard let incomplete, let other = content.incomplete else { return content.incomplete == nil && hasSameDocument(as: content.set) }
        return incomplete.encoded == other.encoded
    }

    /// How many people approved the draft.
    package var consents: Int { Set(approvals.map(\.owner)).count }

    /// - Parameters:
    ///   - editors: the tokens that saved the draft, as far as they are known.
    ///   - makers: the tokens that led to the author's token, each created by the next.
    /// - Returns: the author's token.
    /// - Throws: `forbidden` if the token's owner, or the creator of the token, edited the draft, because nobody approves their own work.
    ///   Also if the editors are not known.
    package func requireApprover(_ author: Author, editors: [TokenOrigin], makers: [TokenOrigin]) throws(Failure) -> TokenID {
        guard let token = author.tokenID, !editorIDs.isEmpty else {
            throw Failure(
                .forbidden,
                "Some editors of this draft were not recorded, so it might be your own work. Delete the draft and save it again. Then "
                    + "another token can approve it.")
        }
        let named = token.person == nil ? "The token \(quoted(author.token)) (id \(token))" : quoted(author.token)
        guard !editorIDs.contains(token) else {
            throw Failure(
                .forbidden, "\(named) has edited this draft and cannot approve it. Another person must approve it.")
        }
        if let editor = editors.first(where: { $0.owner == author.person }) {
            let whose = token.person == nil ? "\(named) belongs to \(quoted(author.person.description)), who" : named
            let means = editor.id.person == nil ? "with the token \(editor.id)" : "in a session"
            throw Failure(.forbidden, "\(whose) has edited this draft \(means). Another person must approve it.")
        }
        let people = Set(editors.map(\.owner))
        if let maker = makers.first(where: { editorIDs.contains($0.id) || people.contains($0.owner) }) {
            let means = maker.id.person == nil ? "with the token \(maker.id) of" : "by"
            throw Failure(
                .forbidden,
                "\(named) was created \(means) \(quoted(maker.owner.description)), who has edited this draft. Another person must approve "
                    + "it, with a token that was not created by an editor of the draft.")
        }
        return token
    }

    /// The draft with the author's approval; unchanged if the author already approved it.
    package func approved(by token: TokenID, _ author: Author) -> Draft {
        guard !isApproved(by: author) else { return self }
        var draft = with(approvals + [Approval(tokenID: token, token: author.token, owner: author.owner, at: author.at)])
        draft.review = review.approved(by: author)
        return draft
    }

    /// The draft without the author's approval.
    package func withoutApproval(by author: Author) -> Draft {
        with(approvals.filter { $0.owner != author.person })
    }

    package func isApproved(by author: Author) -> Bool { approvals.contains { $0.owner == author.person } }

    private func with(_ approvals: [Approval]) -> Draft {
        var draft = self
        draft.approvals = approvals
        return draft
    }
}

/// A request to save, publish, schedule, approve or delete the draft of a version and audience, with the writer's precondition.
package struct DraftChange: Sendable {
    package let version: AppVersion
    package let audience: Audience
    package let writeCondition: WriteCondition
    /// The revision of the set that the editor has seen, 0 for none; nil if the request does not say.
    package let base: Int64?
    /// Stored with the revision if the request publishes or schedules the draft.
    package var message: RevisionMessage?
    /// Whether publishing the draft now ends a running roll-out of the set.
    package var stopsCandidate = false

    package init(version: AppVersion, audience: Audience, writeCondition: WriteCondition, base: Int64? = nil) {
        self.version = version
        self.audience = audience
        self.writeCondition = writeCondition
        self.base = base
    }

    /// - Throws: `preconditionFailed` if the editor has seen another revision than the published one.
    package func requireBase(_ current: PublishedSet?) throws(Failure) {
        guard let base, base != current?.revision ?? 0 else { return }
        let state = current.map { "The set is at revision \($0.revision)" } ?? "The set does not exist"
        throw Failure(
            .preconditionFailed,
            "\(state), but Longpress-Base is \(base). Nothing was written. Read the set again, merge it with the draft, and save the draft "
                + "first.")
    }

    /// - Throws: `preconditionFailed`.
    package func requireWriteCondition(_ previous: Draft?) throws(Failure) {
        let state = previous.map { "The draft was saved at \($0.savedAt) by \(quoted($0.savedBy))" } ?? "The draft does not exist"
        try writeCondition.require(previous?.tag, state: state)
    }

    /// The warnings that publishing the set would give now.
    /// - Parameter known: filters the given ids for those that were ever published in the timeline.
    /// - Throws: `invalidDocument` or `idReused`, as a publish would.
    package func warnings(
        of set: ShortcutSet, in snapshot: AppSnapshot, known: (Set<ItemID>) throws(Failure) -> Set<ItemID>
    ) throws(Failure) -> [Warning] {
        try set.requireTitles(in: snapshot.app.defaultLanguage)
        let timeline = snapshot.ownTimeline(of: audience)
        try timeline.requireNoReusedIDs(in: set, from: version)
        return SetContext(set, from: version, in: timeline, of: snapshot, known: try known(set.succeededIDs)).warnings
    }
}

/// The result of saving a draft.
package struct DraftReceipt: Sendable {
    package let draft: Draft
    /// What prevents a publish.
    package let violations: [Violation]
    package let warnings: [Warning]
    package let isNew: Bool

    package init(draft: Draft, violations: [Violation] = [], warnings: [Warning], isNew: Bool) {
        self.draft = draft
        self.violations = violations
        self.warnings = warnings
        self.isNew = isNew
    }
}

/// How many approvals a draft has, and how many its app requires.
package struct ApprovalCount: Sendable {
    package let given: Int
    package let needed: Int64

    package init(given: Int, needed: Int64) {
        self.given = given
        self.needed = needed
    }
}

/// An edit of a draft.
package enum DraftEdit: Sendable {
    case replacement(ShortcutSet)
    /// Content that need not be complete.
    case incomplete(DraftContent)
    /// A JSON merge patch (RFC 7396) of the set's document.
    case patch(JSON)
    /// A JSON merge patch of one item's document.
    case itemPatch(ItemPatch)

    /// The draft's new content, validated as a whole.
    /// - Parameters:
    ///   - draft: nil if there is none.
    ///   - current: the published set.
    /// - Returns: nil for a patch without content to patch.
    /// - Throws: `unknownResource` if the set has no such item, `invalidDocument`.
    package func applied(to draft: Draft?, or current: ShortcutSet?, defaultLanguage: LanguageTag) throws(Failure) -> DraftContent? {
        let previous = draft?.set ?? current
        switch self {
        case .replacement(let set): return DraftContent(set)
        case .incomplete(let content): return content
        case .patch(let patch):
            guard let previous else { return nil }
            let document = draft?.incomplete ?? previous.withoutUnknownMembers.json
            return DraftContent(
                try ShortcutSetDocument(document.merging(patch), defaultLanguage: defaultLanguage).checked()
                    .keepingUnknownMembers(of: previous))
        case .itemPatch(let patch):
            guard let set = try draft?.completed(in: defaultLanguage).set ?? current else { return nil }
            return DraftContent(try patch.applied(to: set, defaultLanguage: defaultLanguage))
        }
    }

    /// Whether a draft that cannot be published is saved.
    package var mayBeIncomplete: Bool { if case .incomplete = self { true } else { false } }
}

extension DraftEdit {
    private var isPatch: Bool {
        switch self {
        case .replacement, .incomplete: false
        case .patch, .itemPatch: true
        }
    }

    /// The change with the precondition for this edit: if a patch starts the draft, `If-Match` may name the revision of the published set
    /// with which it starts.
    /// - Parameter current: the published set; nil if there is a draft, or if no set is published.
    package func change(_ change: DraftChange, beginningWith current: PublishedSet?) -> DraftChange {
        guard isPatch, let current else { return change }
        return DraftChange(
            version: change.version, audience: change.audience, writeCondition: change.writeCondition.matching(String(current.revision)),
            base: change.base)
    }
}
