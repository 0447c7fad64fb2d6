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

    /// The time at which it is published, and who scheduled it.
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

/// A request to save, publish, schedule or delete the draft of a version and audience, with the writer's precondition.
package struct DraftChange: Sendable {
    package let version: AppVersion
    package let audience: Audience
    package let writeCondition: WriteCondition

    package init(version: AppVersion, audience: Audience, writeCondition: WriteCondition) {
        self.version = version
        self.audience = audience
        self.writeCondition = writeCondition
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

/// A draft whose time came, and the result of its publish.
package enum DuePublish: Sendable {
    case published(AppID, Draft, revision: Int64)
    /// The draft is kept without a schedule.
    case failed(AppID, Draft, Failure)
}
