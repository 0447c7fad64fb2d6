import QuickActions

/// The author of an admin write, as recorded in its revision and audit entry.
package struct Author: Sendable {
    /// The token's name.
    package let token: String
    /// Distinguishes tokens with the same name. Nil for an author without a token, and if only the name was recorded.
    package let tokenID: TokenID?
    /// The token's owner; nil if only the name was recorded.
    package let owner: TokenOwner?
    package let role: Role?
    /// `Session.publicID` of the session that the request was sent in.
    package let session: String?
    package let address: String
    /// The id of the request.
    package let request: String
    /// The request's `traceparent` (W3C Trace Context, version 00), for the log and for deliveries; nil if the request had none.
    package let traceParent: String?
    package internal(set) var at: Timestamp

    package init(
        token: String, tokenID: TokenID? = nil, owner: TokenOwner? = nil, role: Role? = nil, session: String? = nil, address: String,
        request: String, traceParent: String? = nil, at: Timestamp
    ) {
        self.token = token
        self.tokenID = tokenID
        self.owner = owner
        self.role = role
        self.session = session
        self.address = address
        self.request = request
        self.traceParent = traceParent
        self.at = at
    }
}

extension Author {
    /// The author of what the service does without a request.
    package static func service(at time: Timestamp) -> Author { Author(token: "", address: "", request: "", at: time) }

    package var isService: Bool { token.isEmpty }

    /// The person behind the author: approvals and webhooks name this owner.
    package var person: TokenOwner { owner ?? TokenOwner(token) }

    /// The same author at another time.
    package func later(_ time: Timestamp) -> Author {
        var author = self
        author.at = time
        return author
    }
}

/// A successful admin write, a rejected approval, or an action of the service. Entries never change.
package struct AuditEntry: Sendable {
    /// Its number in the audit, in the order of commits; nil until the entry is read from the store.
    package var id: Int64?
    /// A newer node may have stored an action that this program does not know. Such an action is passed on unchanged.
    package struct Action: RawRepresentable, Hashable, Sendable, CaseIterable {
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }

        package static let appCreated = Action(rawValue: "app.created")
        package static let appUpdated = Action(rawValue: "app.updated")
        package static let appDeleted = Action(rawValue: "app.deleted")
        package static let releaseImported = Action(rawValue: "release.imported")
        package static let releaseDeleted = Action(rawValue: "release.deleted")
        package static let setPublished = Action(rawValue: "set.published")
        package static let setDeleted = Action(rawValue: "set.deleted")
        package static let rolloutStarted = Action(rawValue: "rollout.started")
        package static let rolloutChanged = Action(rawValue: "rollout.changed")
        package static let rolloutScheduled = Action(rawValue: "rollout.scheduled")
        package static let rolloutPromoted = Action(rawValue: "rollout.promoted")
        package static let rolloutStopped = Action(rawValue: "rollout.stopped")
        package static let draftSaved = Action(rawValue: "draft.saved")
        package static let draftDeleted = Action(rawValue: "draft.deleted")
        package static let draftScheduled = Action(rawValue: "draft.scheduled")
        package static let draftApproved = Action(rawValue: "draft.approved")
        package static let approvalRefused = Action(rawValue: "draft.approval-refused")
        package static let approvalWithdrawn = Action(rawValue: "draft.approval-withdrawn")
        package static let approvalRequested = Action(rawValue: "draft.review-requested")
        package static let changesRequested = Action(rawValue: "draft.changes-requested")
        package static let restoreScheduled = Action(rawValue: "restore.scheduled")
        package static let scheduleCancelled = Action(rawValue: "schedule.cancelled")
        package static let storeApplied = Action(rawValue: "store.applied")
        package static let storeImported = Action(rawValue: "store.imported")
        package static let storeRestored = Action(rawValue: "store.restored")
        package static let storeKeyRotated = Action(rawValue: "store.key-rotated")
        package static let previewCreated = Action(rawValue: "preview.created")
        package static let previewDeleted = Action(rawValue: "preview.deleted")
        package static let tokenCreated = Action(rawValue: "token.created")
        package static let tokenRenamed = Action(rawValue: "token.renamed")
        package static let tokenRevoked = Action(rawValue: "token.revoked")
        package static let sessionCreated = Action(rawValue: "session.created")
        package static let sessionEnded = Action(rawValue: "session.ended")
        package static let webhookCreated = Action(rawValue: "webhook.created")
        package static let webhookUpdated = Action(rawValue: "webhook.updated")
        package static let webhookDeleted = Action(rawValue: "webhook.deleted")
        package static let webhookPinged = Action(rawValue: "webhook.pinged")
        package static let webhookRecovered = Action(rawValue: "webhook.recovered")
        package static let webhookSkipped = Action(rawValue: "webhook.skipped")
        package static let webhookDisabled = Action(rawValue: "webhook.disabled")
        package static let webhookSecretRotated = Action(rawValue: "webhook.secret-rotated")
        package static let deliveryResent = Action(rawValue: "delivery.resent")

        package static let allCases: [Action] = [
            .appCreated, .appUpdated, .appDeleted, .releaseImported, .releaseDeleted, .setPublished, .setDeleted,
            .rolloutStarted, .rolloutChanged, .rolloutScheduled, .rolloutPromoted, .rolloutStopped, .draftSaved,
            .draftDeleted, .draftScheduled, .draftApproved, .approvalRefused, .approvalWithdrawn, .approvalRequested, .changesRequested,
            .restoreScheduled, .scheduleCancelled,
            .previewCreated, .previewDeleted, .storeApplied, .storeImported, .storeRestored, .storeKeyRotated, .tokenCreated, .tokenRenamed,
            .tokenRevoked, .sessionCreated,
            .sessionEnded, .webhookCreated, .webhookUpdated, .webhookDeleted, .webhookPinged, .webhookRecovered, .webhookSkipped,
            .webhookDisabled, .webhookSecretRotated, .deliveryResent,
        ]
    }

    package let author: Author
    package let action: Action
    package let app: AppID?
    /// `2.1.0`, or `2.1.0+512` for a release.
    package let version: AppBuild?
    package let audience: Audience?
    package let revision: Int64?
    /// Nil if the entry concerns several apps or the whole store.
    package let target: AuditTarget?
    package let detail: AuditDetail

    /// - Parameter target: by default the app, release, set or draft that the action and the preceding parameters name.
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
        self.target = target ?? app.flatMap { AuditTarget(of: action, app: $0, version, audience) }
        self.detail = detail
    }
}

/// The details of an audit entry.
package struct AuditDetail: Sendable {
    /// Why an owner bypassed the approvals that the app requires.
    package let reason: OverrideReason?
    /// The message of the published, scheduled or applied revisions.
    package let message: RevisionMessage?
    /// The changes of `store.applied`: an object for each.
    package let changes: [JSON]
    /// Why an approval was rejected: a sentence with ids.
    package let refusal: String?
    /// The settings before and after the change: objects. Nil if the target did not exist before, or does not exist after.
    package let before: JSON?
    package let after: JSON?

    /// Members that a newer node wrote.
    private var unknown = UnknownMembers.none

    package static let none = AuditDetail()

    package init(
        reason: OverrideReason? = nil, message: RevisionMessage? = nil, changes: [JSON] = [], refusal: String? = nil, before: JSON? = nil,
        after: JSON? = nil
    ) {
        self.reason = reason
        self.message = message
        self.changes = changes
        self.refusal = refusal
        self.before = before
        self.after = after
    }

    /// Compares two settings and stores the members that differ; all members if one of the two is nil.
    /// - Parameter hidden: names of members that differ in a part that is not shown.
    package init(reason: OverrideReason? = nil, from before: JSON?, to after: JSON?, hidden: Set<Text> = []) {
        func changed(_ settings: JSON?, from other: JSON?) -> JSON? {
            guard let settings, let other else { return settings }
            return .object(settings.members.filter { $0.value.encoded != other[$0.name]?.encoded || hidden.contains($0.name) })
        }
        self.init(reason: reason, before: changed(before, from: after), after: changed(after, from: before))
    }

    /// The settings of a webhook: its URL without user, path and query, and its headers without values, which may be secrets.
    package static func settings(from before: Endpoint?, to after: Endpoint?) -> AuditDetail {
        var hidden: Set<Text> = []
        if before?.url != after?.url { hidden.insert("url") }
        if before?.headers != after?.headers { hidden.insert("headers") }
        return AuditDetail(from: before?.settings, to: after?.settings, hidden: hidden)
    }

    /// - Parameter json: the output of `json`.
    package init(stored json: JSON) {
        reason = json["reason"].flatMap { if case .string(let text) = $0 { OverrideReason(text.string) } else { nil } }
        message = json["message"].flatMap { if case .string(let text) = $0 { RevisionMessage(text.string) } else { nil } }
        changes = if case .array(let changes)? = json["changes"] { changes } else { [] }
        refusal = if case .string(let text)? = json["refusal"] { text.string } else { nil }
        (before, after) = (json["before"], json["after"])
        let known = ["reason", "message", "changes", "refusal", "before", "after"]
        unknown = UnknownMembers(json.members.filter { !known.contains($0.name.string) })
    }

    /// An object with the present members among `reason`, `message`, `changes`, `refusal`, `before`, `after`.
    package var json: JSON {
        let known: JSON = [
            "reason": reason.map { .string($0) }, "message": message.map { .string($0) },
            "changes": changes.isEmpty ? nil : .array(changes), "refusal": refusal.map { .string($0) }, "before": before, "after": after,
        ]
        return known.adding(unknown)
    }

    package var isEmpty: Bool { json.members.isEmpty }
}

/// A filter for audit entries. An entry is listed if it matches every member that is set.
package struct AuditFilter: Sendable {
    package var app: AppID?
    /// The token's name.
    package var token: String?
    package var tokenID: TokenID?
    package var action: AuditEntry.Action?
    /// The target's id.
    package var target: String?
    /// The earliest time, inclusive.
    package var from: Timestamp?
    /// The latest time, exclusive.
    package var to: Timestamp?
    /// Only entries after the one with this id, oldest first.
    package var after: Int64?

    package init() {}
}

extension AuditEntry {
    /// Whether the entry is about the app alone or lists it among several apps.
    package func concerns(_ app: AppID) -> Bool {
        self.app == app
            || detail.changes.contains { change in
                if case .string(let text)? = change["app"] { text.string == app.description } else { false }
            }
    }
}
