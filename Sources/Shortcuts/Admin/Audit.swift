import QuickActions

/// The author of an admin write, as recorded in its revision and audit entry.
package struct Author: Sendable {
    /// The token's name.
    package let token: String
    /// Tells tokens of one name apart; nil for an author without a token, and where only the name was recorded.
    package let tokenID: TokenID?
    package let address: String
    /// The id of the request.
    package let request: String
    package let at: Timestamp

    package init(token: String, tokenID: TokenID? = nil, address: String, request: String, at: Timestamp) {
        self.token = token
        self.tokenID = tokenID
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
        case draftApproved = "draft.approved"
        case approvalWithdrawn = "draft.approval-withdrawn"
        case restoreScheduled = "restore.scheduled"
        case scheduleCancelled = "schedule.cancelled"
        case storeApplied = "store.applied"
        case storeImported = "store.imported"
        case storeRestored = "store.restored"
        case tokenCreated = "token.created"
        case tokenRevoked = "token.revoked"
        case sessionCreated = "session.created"
        case sessionEnded = "session.ended"
        case webhookCreated = "webhook.created"
        case webhookUpdated = "webhook.updated"
        case webhookDeleted = "webhook.deleted"
        case webhookPinged = "webhook.pinged"
        case webhookRecovered = "webhook.recovered"
        case webhookSkipped = "webhook.skipped"
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
    /// Nil where the entry concerns an app, its versions or the whole store.
    package let target: AuditTarget?
    package let detail: AuditDetail

    package init(
        author: Author, action: Action, app: AppID? = nil, version: AppBuild? = nil, audience: Audience? = nil,
        revision: Int64? = nil, target: AuditTarget? = nil, detail: AuditDetail = .none
    ) {
        self.author = author
        self.action = action
        self.app = app
        self.version = version
        self.audience = audience
        self.revision = revision
        self.target = target
        self.detail = detail
    }
}

/// What an audit entry says beside its subject.
package struct AuditDetail: Sendable {
    /// Why an owner did without the approvals that the app requires.
    package let reason: OverrideReason?
    /// What `store.applied` has changed: an object for each change.
    package let changes: [JSON]

    package static let none = AuditDetail()

    package init(reason: OverrideReason? = nil, changes: [JSON] = []) {
        self.reason = reason
        self.changes = changes
    }

    /// - Parameter json: as `json` wrote it.
    package init(stored json: JSON) {
        reason = json["reason"].flatMap { if case .string(let text) = $0 { OverrideReason(text.string) } else { nil } }
        changes = if case .array(let changes)? = json["changes"] { changes } else { [] }
    }

    /// An object with the members that there are: `reason`, `changes`.
    package var json: JSON {
        ["reason": reason.map { .string($0) }, "changes": changes.isEmpty ? nil : .array(changes)]
    }

    package var isEmpty: Bool { reason == nil && changes.isEmpty }
}
