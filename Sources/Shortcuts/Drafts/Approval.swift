import QuickActions

/// One person's consent to a draft in its current form. It counts until the draft is saved again, even if the token is revoked.
package struct Approval: Hashable, Sendable {
    /// The token that gave the approval.
    package let tokenID: TokenID
    /// The token's name.
    package let token: String
    /// The token's owner. Approvals of one owner count once.
    package let owner: TokenOwner
    package let at: Timestamp
    /// Unknown members of a stored approval.
    package var unknown = UnknownMembers.none

    /// - Parameter owner: the name by default. Approvals that an older program recorded have no owner.
    package init(tokenID: TokenID, token: String, owner: TokenOwner? = nil, at: Timestamp) {
        self.tokenID = tokenID
        self.token = token
        self.owner = owner ?? TokenOwner(token)
        self.at = at
    }
}

/// Why an owner publishes without the approvals that the app requires: `?override=<reason>`.
package struct OverrideReason: Hashable, Sendable, TextRepresentable, TextParsable {
    package let description: String

    /// - Parameter text: 1 to 200 characters without control characters, not all white space.
    package init?(_ text: String) {
        guard text.isRemark else { return nil }
        description = text
    }

    package static func rule(for text: String) -> String {
        "\(quoted(text)) is not a valid reason. "
            + "Explain in 1 to 200 characters, without control characters, why this cannot wait for approvals."
    }
}

/// How a publish meets the approvals that an app may require.
package enum Consent: Sendable {
    /// Content that was published before (a restore, an automatic revert) needs no approvals.
    case notNeeded
    /// The number of the draft's approvals, 0 without a draft, and an owner's reason to bypass the missing ones.
    case approvals(Int, override: OverrideReason?)
    /// An owner bypassed approvals when this was scheduled. The override was announced then.
    case overridden(OverrideReason)

    /// For a write without a draft.
    package static func none(override: OverrideReason?) -> Consent { .approvals(0, override: override) }

    /// - Returns: the reason if approvals are missing and an owner bypasses them, else nil.
    /// - Throws: `approvalMissing`.
    package func require(by app: App) throws(Failure) -> OverrideReason? {
        switch self {
        case .notNeeded: return nil
        case .overridden(let reason): return app.approvals > 0 ? reason : nil
        case .approvals(let count, let override):
            let missing = app.approvals - Int64(count)
            guard missing > 0 else { return nil }
            guard let override else { throw .approvalMissing(missing, of: app) }
            return override
        }
    }

    /// Whether an override is announced with the write.
    package var announcesOverride: Bool {
        if case .approvals = self { true } else { false }
    }
}

extension App {
    /// - Parameter previous: the stored app; nil if it is new.
    /// - Returns: the reason if fewer approvals are required than before, else nil.
    /// - Throws: `approvalMissing` without a reason.
    package func reasonToLowerApprovals(of previous: App?, _ override: OverrideReason?) throws(Failure) -> OverrideReason? {
        guard let previous, approvals < previous.approvals else { return nil }
        guard let override else { throw .loweringApprovals(from: previous.approvals, to: approvals, of: id) }
        return override
    }
}

extension Failure {
    /// An app cannot require fewer approvals than before unless an owner gives a reason.
    fileprivate static func loweringApprovals(from previous: Int64, to approvals: Int64, of app: AppID) -> Failure {
        Failure(
            .approvalMissing,
            "This would lower the approvals that the app \(quoted(app.description)) requires from \(previous) to \(approvals), so that "
                + "waiting drafts could be published with fewer approvals. Give a reason with ?override=<reason>. Nothing was written.")
    }

    /// - Parameter missing: how many more approvals are needed.
    package static func approvalMissing(_ missing: Int64, of app: App) -> Failure {
        let needed = app.approvals == 1 ? "1 approval" : "\(app.approvals) approvals"
        let count = missing == 1 ? "1 is missing" : "\(missing) are missing"
        return Failure(
            .approvalMissing,
            "The app \(quoted(app.id.description)) requires \(needed) before a publish, and \(count). Save a draft with PUT …/draft, have "
                + "other people approve it with POST …/draft/approve, and publish it. An owner can override the approvals with "
                + "?override=<reason>. Nothing was written.")
    }
}

extension Approval {
    /// As stored and exported.
    package var json: JSON {
        (["id": .string(tokenID), "token": .string(token), "owner": .string(owner), "at": .string(at)] as JSON).adding(unknown)
    }

    /// As listed.
    package var summary: JSON { ["token": .string(token), "owner": .string(owner), "at": .string(at)] }
}
