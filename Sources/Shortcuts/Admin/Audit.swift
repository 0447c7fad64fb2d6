import QuickActions

/// The author of an admin write, as recorded in its revision and audit entry.
package struct Author: Sendable {
    /// The token's name.
    package let token: String
    package let address: String
    /// The id of the request.
    package let request: String
    package let at: Timestamp

    package init(token: String, address: String, request: String, at: Timestamp) {
        self.token = token
        self.address = address
        self.request = request
        self.at = at
    }
}

/// One successful admin write. Entries are never changed.
package struct AuditEntry: Sendable {
    package enum Action: String, Sendable, CaseIterable {
        case appCreated = "app.created"
        case appUpdated = "app.updated"
        case appDeleted = "app.deleted"
        case releaseImported = "release.imported"
        case releaseDeleted = "release.deleted"
        case setPublished = "set.published"
        case setDeleted = "set.deleted"
        case draftSaved = "draft.saved"
        case draftDeleted = "draft.deleted"
        case draftScheduled = "draft.scheduled"
        case storeImported = "store.imported"
        case storeRestored = "store.restored"
        case tokenCreated = "token.created"
        case tokenRevoked = "token.revoked"
        case webhookCreated = "webhook.created"
        case webhookUpdated = "webhook.updated"
        case webhookDeleted = "webhook.deleted"
        case webhookPinged = "webhook.pinged"
        case webhookRecovered = "webhook.recovered"
        case webhookSecretRotated = "webhook.secret-rotated"
        case deliveryResent = "delivery.resent"
    }

    package let author: Author
    package let action: Action
    package let app: AppID?
    /// `2.1.0`, or `2.1.0+512` for a release.
    package let version: AppBuild?
    package let audience: Audience?
    package let revision: Int64?

    package init(
        author: Author, action: Action, app: AppID? = nil, version: AppBuild? = nil, audience: Audience? = nil,
        revision: Int64? = nil
    ) {
        self.author = author
        self.action = action
        self.app = app
        self.version = version
        self.audience = audience
        self.revision = revision
    }
}
