import QuickActions

/// One immutable publish. Numbers grow by one per app with every publish, whatever the set, and are never reused.
package struct Revision: Sendable {
    package enum Kind: String, Sendable {
        case published, deleted
    }

    package let number: Int64
    package let kind: Kind
    package let version: AppVersion
    package let audience: Audience
    package let publishedAt: Timestamp
    package let by: String
    /// Nil when the revision deleted the set.
    package let set: ShortcutSet?

    package init(
        number: Int64, kind: Kind, version: AppVersion, audience: Audience, publishedAt: Timestamp, by: String,
        set: ShortcutSet?
    ) {
        self.number = number
        self.kind = kind
        self.version = version
        self.audience = audience
        self.publishedAt = publishedAt
        self.by = by
        self.set = set
    }
}
