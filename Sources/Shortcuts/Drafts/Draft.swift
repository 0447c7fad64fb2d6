import QuickActions

/// A set that is being prepared. It is checked like a set, is served to nobody and makes no timeline.
package struct Draft: Sendable {
    package let version: AppVersion
    package let audience: Audience
    package let set: ShortcutSet
    /// Another text after every save; what stands between the quotes of its entity tag.
    package let tag: String
    package let savedAt: Timestamp
    package let savedBy: String
    package var schedule: Schedule?

    package init(
        version: AppVersion, audience: Audience, set: ShortcutSet, tag: String, savedAt: Timestamp, savedBy: String,
        schedule: Schedule?
    ) {
        self.version = version
        self.audience = audience
        self.set = set
        self.tag = tag
        self.savedAt = savedAt
        self.savedBy = savedBy
        self.schedule = schedule
    }

    /// When it is published, and who said so.
    package struct Schedule: Sendable {
        package let at: Timestamp
        /// The name of the token.
        package let by: String

        package init(at: Timestamp, by: String) {
            self.at = at
            self.by = by
        }
    }
}

/// A wish to save, publish or drop the draft of a place in a timeline, with the state that the writer expects.
package struct DraftChange: Sendable {
    package let version: AppVersion
    package let audience: Audience
    package let writeCondition: WriteCondition

    package init(version: AppVersion, audience: Audience, writeCondition: WriteCondition) {
        self.version = version
        self.audience = audience
        self.writeCondition = writeCondition
    }

    package func requireWriteCondition(_ former: Draft?) throws(Failure) {
        let state = former.map { "The draft was saved at \($0.savedAt) by \(quoted($0.savedBy))" } ?? "There is no such draft"
        try writeCondition.require(former?.tag, state: state)
    }

    /// What publishing the set here would warn of now.
    /// - Parameter known: those of the given ids that were ever published in the timeline.
    /// - Throws: what a publish would be refused for: `invalidDocument`, `idReused`.
    package func warnings(
        of set: ShortcutSet, in snapshot: AppSnapshot, known: (Set<ItemID>) throws(Failure) -> Set<ItemID>
    ) throws(Failure) -> [Warning] {
        try set.requireTitles(in: snapshot.app.defaultLanguage)
        let timeline = snapshot.ownTimeline(of: audience)
        try timeline.requireMeaning(of: set, from: version)
        return SetContext(set, from: version, in: timeline, of: snapshot, known: try known(set.succeededIDs)).warnings
    }
}

/// What saving a draft led to.
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

/// A draft that came due and what became of it.
package enum DuePublish: Sendable {
    case published(AppID, Draft, revision: Int64)
    /// It stays a draft without a time.
    case failed(AppID, Draft, Failure)
}
