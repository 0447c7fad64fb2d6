import QuickActions

/// A set in a timeline: its content, the version at which it takes effect, and the revision that published it.
package struct PublishedSet: Sendable {
    package let version: AppVersion
    package let revision: Int64
    package let publishedAt: Timestamp
    /// The name of the token that published it.
    package let by: String
    package let set: ShortcutSet

    package init(version: AppVersion, revision: Int64, publishedAt: Timestamp, by: String, set: ShortcutSet) {
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
