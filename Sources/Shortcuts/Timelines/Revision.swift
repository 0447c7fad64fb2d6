import QuickActions

/// One publish or deletion, immutable. Numbers grow by one per app, whichever set they are for, and are never reused.
package struct Revision: Sendable {
    package enum Kind: String, Sendable {
        case published, deleted
        /// The content of a roll-out's candidate.
        case candidate
    }

    package let number: Int64
    package let kind: Kind
    package let version: AppVersion
    package let audience: Audience
    package let publishedAt: Timestamp
    package let by: String
    /// Nil for a deletion.
    package let set: ShortcutSet?
    /// Why it was published; nil if its author did not say, and for an automatic revert.
    package let message: RevisionMessage?
    /// Who imported it, and when; nil if it was published here. The members above are as the imported document claims.
    package var importedBy: String?
    package var importedAt: Timestamp?
    /// The roll-out of a candidate.
    package var rollout: RolloutID?

    package init(
        number: Int64, kind: Kind, version: AppVersion, audience: Audience, publishedAt: Timestamp, by: String,
        set: ShortcutSet?, message: RevisionMessage? = nil
    ) {
        self.number = number
        self.kind = kind
        self.version = version
        self.audience = audience
        self.publishedAt = publishedAt
        self.by = by
        self.set = set
        self.message = message
    }
}

extension Revision {
    /// - Throws: `conflict` for a deletion.
    package func requireSet() throws(Failure) -> ShortcutSet {
        guard let set else {
            throw Failure(
                .conflict,
                "Revision \(number) deleted the set of \(version) and has no content. Restore an earlier revision, or delete the set with "
                    + "DELETE.")
        }
        return set
    }

    /// With the content of the set.
    package var json: JSON { summary.adding("set", set?.json ?? .null) }

    /// Without the content of the set.
    package var summary: JSON {
        [
            "revision": .integer(number), "kind": .string(kind.rawValue), "version": .string(version), "audience": .string(audience),
            "publishedAt": .string(publishedAt), "by": .string(by), "message": message.map { .string($0) },
            "rollout": rollout.map { .string($0) }, "importedBy": importedBy.map { .string($0) },
            "importedAt": importedAt.map { .string($0) },
        ]
    }
}

/// A set in a timeline: its content, the version at which it takes effect, and the revision that published it.
package struct PublishedSet: Sendable {
    package let version: AppVersion
    package let revision: Int64
    package let publishedAt: Timestamp
    /// The name of the token that published it.
    package let by: String
    package let set: ShortcutSet
    /// What a share of the installations gets in its place; nil if no roll-out runs.
    package var candidate: Candidate?

    package init(
        version: AppVersion, revision: Int64, publishedAt: Timestamp, by: String, set: ShortcutSet, candidate: Candidate? = nil
    ) {
        self.candidate = candidate
        self.version = version
        self.revision = revision
        self.publishedAt = publishedAt
        self.by = by
        self.set = set
    }

    /// Nil if the revision is a deletion.
    init?(_ revision: Revision) {
        guard let set = revision.set else { return nil }
        self.init(
            version: revision.version, revision: revision.number, publishedAt: revision.publishedAt, by: revision.by, set: set)
    }
}
