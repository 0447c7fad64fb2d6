import QuickActions

/// A set in preparation. It is validated as a set, and is not served.
package struct Draft: Sendable {
    package let version: AppVersion
    package let audience: Audience
    package let set: ShortcutSet
    /// The opaque part of its entity tag (RFC 9110 section 8.8.3): each save makes a new one.
    package let tag: String
    package let savedAt: Timestamp
    package let savedBy: String
    /// The tokens that have saved it since there was none. Empty where one of them was not recorded: nobody may approve it then.
    package let savers: [TokenID]
    /// Of the draft as it is: saving it voids them.
    package let approvals: [Approval]
    /// The revision of the set that the draft was made from, or that its editor has merged it with: 0 where there was no such set, nil
    /// where nobody knows.
    package var base: Int64?

    package init(
        version: AppVersion, audience: Audience, set: ShortcutSet, tag: String, savedAt: Timestamp, savedBy: String,
        savers: [TokenID] = [], approvals: [Approval] = []
    ) {
        self.version = version
        self.audience = audience
        self.set = set
        self.tag = tag
        self.savedAt = savedAt
        self.savedBy = savedBy
        self.savers = savers
        self.approvals = approvals
    }
}

extension Draft {
    /// The draft that the author saves.
    /// - Parameter former: the draft that it replaces: its savers stay, its approvals are void.
    package init(_ set: ShortcutSet, _ change: DraftChange, tag: String, replacing former: Draft?, by author: Author) {
        self.init(
            version: change.version, audience: change.audience, set: set, tag: tag, savedAt: author.at, savedBy: author.token,
            savers: Self.savers(after: former, author.tokenID))
        base = change.base ?? former?.base
    }

    /// An unknown saver stays unknown: of a draft that is saved on, all of its savers count.
    private static func savers(after former: Draft?, _ saver: TokenID?) -> [TokenID] {
        guard let saver else { return [] }
        guard let former else { return [saver] }
        return former.savers.isEmpty || former.savers.contains(saver) ? former.savers : former.savers + [saver]
    }

    /// - Returns: the author's token.
    /// - Throws: `forbidden` where it has saved the draft, because nobody approves their own work, and where it might have.
    package func requireApprover(_ author: Author) throws(Failure) -> TokenID {
        guard let token = author.tokenID, !savers.isEmpty else {
            throw Failure(
                .forbidden,
                "Not every token that saved this draft was recorded, so it might be your own work. Delete the draft and save it again. "
                    + "Another token can approve it then.")
        }
        guard !savers.contains(token) else {
            throw Failure(
                .forbidden,
                "The token \(quoted(author.token)) has saved this draft, and nobody approves what is their own: somebody else has to.")
        }
        return token
    }

    /// With the token's approval; the same where it has that already.
    /// - Parameter author: the token's name, and the time.
    package func approved(by token: TokenID, _ author: Author) -> Draft {
        guard !isApproved(by: token) else { return self }
        return with(approvals + [Approval(tokenID: token, token: author.token, at: author.at)])
    }

    /// Without the author's approval.
    package func withoutApproval(by author: Author) -> Draft {
        with(approvals.filter { $0.tokenID != author.tokenID })
    }

    package func isApproved(by token: TokenID?) -> Bool { approvals.contains { $0.tokenID == token } }

    private func with(_ approvals: [Approval]) -> Draft {
        var draft = Draft(
            version: version, audience: audience, set: set, tag: tag, savedAt: savedAt, savedBy: savedBy, savers: savers,
            approvals: approvals)
        draft.base = base
        return draft
    }
}

/// A request to save, publish, schedule, approve or delete the draft of a version and audience, with the writer's precondition.
package struct DraftChange: Sendable {
    package let version: AppVersion
    package let audience: Audience
    package let writeCondition: WriteCondition
    /// The revision of the set that the editor has before them, 0 for none; nil where they do not say.
    package let base: Int64?

    package init(version: AppVersion, audience: Audience, writeCondition: WriteCondition, base: Int64? = nil) {
        self.version = version
        self.audience = audience
        self.writeCondition = writeCondition
        self.base = base
    }

    /// - Throws: `preconditionFailed` where the editor has another revision before them than the one that stands.
    package func requireBase(_ standing: PublishedSet?) throws(Failure) {
        guard let base, base != standing?.revision ?? 0 else { return }
        let state = standing.map { "The set is at revision \($0.revision)" } ?? "There is no such set"
        throw Failure(
            .preconditionFailed,
            "\(state), and Longpress-Base says \(base). Nothing was written: read it again, merge it with the draft, and save that first.")
    }

    /// - Throws: `preconditionFailed`.
    package func requireWriteCondition(_ previous: Draft?) throws(Failure) {
        let state = previous.map { "The draft was saved at \($0.savedAt) by \(quoted($0.savedBy))" } ?? "There is no such draft"
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
    package let warnings: [Warning]
    package let isNew: Bool

    package init(draft: Draft, warnings: [Warning], isNew: Bool) {
        self.draft = draft
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
