import QuickActions

/// The state in which a write finds its target; otherwise the service answers 412.
package enum WritePrecondition: Sendable {
    case anything
    case nothing
    /// An entity tag, with or without its quotes, which a shell removes.
    case tag(String)

    fileprivate var fields: [(String, String)] {
        switch self {
        case .anything: []
        case .nothing: [("If-None-Match", "*")]
        case .tag(let tag): [("If-Match", tag.hasPrefix("\"") ? tag : "\"\(tag)\"")]
        }
    }
}

/// Drafts, their approvals, and publishing them.
extension RemoteService {
    /// The published set, as `PUT` accepts it. Its entity tag is its revision.
    package func publishedSet(_ set: SetAddress) throws(RemoteFailure) -> Answer {
        try answer(Call(path: set.path, query: set.query, remedy: "longpress history \(set.app) lists the sets."))
    }

    /// Reads a draft or a set; nil if the service does not have it.
    package static func existing(_ read: () throws(RemoteFailure) -> Answer) throws(RemoteFailure) -> Answer? {
        do throws(RemoteFailure) {
            return try read()
        } catch {
            guard error.refusal?.code == "unknown-resource" else { throw error }
            return nil
        }
    }

    /// The revision of the published set; nil without a set.
    package func currentRevision(of set: SetAddress) throws(RemoteFailure) -> Int64? {
        try Self.existing { () throws(RemoteFailure) in try publishedSet(set) }?.revision
    }

    /// The draft, as `PUT` accepts it.
    package func draft(_ set: SetAddress) throws(RemoteFailure) -> Answer {
        try answer(Call(path: set.path + "/draft", query: set.query, remedy: set.draftRemedy))
    }

    /// - Parameter base: the revision of the published set that the document was made from, 0 for none; nil to send none.
    package func saveDraft(
        _ document: JSON, of set: SetAddress, if condition: WritePrecondition = .anything, base: String? = nil
    ) throws(RemoteFailure) -> Answer {
        let fields = condition.fields + (base.map { [("Longpress-Base", $0)] } ?? [])
        return try answer(
            Call(
                method: "PUT", path: set.path + "/draft", query: set.query, fields: fields, body: document.encoded,
                remedy: set.draftRemedy))
    }

    package func discardDraft(_ set: SetAddress, if condition: WritePrecondition = .anything) throws(RemoteFailure) -> Answer {
        try answer(
            Call(
                method: "DELETE", path: set.path + "/draft", query: set.query, fields: condition.fields, remedy: set.draftRemedy))
    }

    /// The difference between the published set and the draft.
    package func draftDifference(_ set: SetAddress) throws(RemoteFailure) -> JSON {
        try json(Call(path: set.path + "/diff", query: set.query + [("to", "draft")], remedy: set.draftRemedy))
    }

    /// - Parameter tag: the entity tag of the draft that the approver has seen, with or without its quotes.
    package func approve(_ set: SetAddress, tag: String) throws(RemoteFailure) -> Answer {
        try answer(
            Call(
                method: "POST", path: set.path + "/draft/approve", query: set.query, fields: WritePrecondition.tag(tag).fields,
                remedy: set.draftRemedy))
    }

    package func withdrawApproval(_ set: SetAddress) throws(RemoteFailure) -> Answer {
        try answer(Call(method: "DELETE", path: set.path + "/draft/approve", query: set.query, remedy: set.draftRemedy))
    }

    /// Publishes the draft.
    /// - Parameters:
    ///   - at: nil for now.
    ///   - until: the end of a campaign.
    ///   - reason: why missing approvals are bypassed; nil to require them.
    /// - Returns: a revision (200), or an entry of the schedule (202).
    package func publish(
        _ set: SetAddress, if condition: WritePrecondition, at: Timestamp?, until: Timestamp?, message: String?,
        rollout: JSON? = nil, overriding reason: String?
    ) throws(RemoteFailure) -> Answer {
        let times: JSON = [
            "at": at.map { .string($0) }, "until": until.map { .string($0) }, "message": message.map { .string($0) },
        ]
        let body = times.adding(membersOf: rollout ?? [:])
        let query = set.query + (reason.map { [("override", $0)] } ?? [])
        return try answer(
            Call(
                method: "POST", path: set.path + "/publish", query: query, fields: condition.fields, body: body.encoded,
                remedy: set.draftRemedy))
    }
}

extension RemoteService.Answer {
    /// The revision in the entity tag of a published set.
    package var revision: Int64? { entityTag.flatMap { Int64($0.filter { $0 != "\"" }) } }
}

extension SetAddress {
    fileprivate var draftRemedy: String { "Save one with longpress draft save \(self) FILE. longpress draft list lists the drafts." }
}

/// The schedule, the history and the preview of an app.
extension RemoteService {
    package func scheduled(_ entry: String, of app: AppID) throws(RemoteFailure) -> Answer {
        try answer(scheduleCall("GET", entry, of: app))
    }

    package func cancel(_ entry: String, of app: AppID) throws(RemoteFailure) -> Answer {
        try answer(scheduleCall("DELETE", entry, of: app))
    }

    private func scheduleCall(_ method: String, _ entry: String, of app: AppID) -> Call {
        Call(
            method: method, path: "/apps/\(app)/schedule/\(entry.percentEncoded)",
            remedy: "longpress schedule list --app \(app) lists the entries.")
    }

    /// - Parameter at: nil for now.
    /// - Returns: a revision (200), or an entry of the schedule (202).
    package func restore(_ revision: Int64, of app: AppID, at: Timestamp?, message: String?) throws(RemoteFailure) -> Answer {
        let body: JSON = ["at": at.map { .string($0) }, "message": message.map { .string($0) }]
        return try answer(
            Call(method: "POST", path: "/apps/\(app)/revisions/\(revision)/restore", body: body.encoded, remedy: app.revisionRemedy))
    }

    package func revision(_ revision: Int64, of app: AppID) throws(RemoteFailure) -> JSON {
        try json(Call(path: "/apps/\(app)/revisions/\(revision)", remedy: app.revisionRemedy))
    }

    package func difference(from old: Int64, to new: Int64, of app: AppID) throws(RemoteFailure) -> JSON {
        try json(Call(path: "/apps/\(app)/diff", query: [("from", "\(old)"), ("to", "\(new)")], remedy: app.revisionRemedy))
    }

    /// The menu of a version with its static items and the items that do not fit.
    /// - Parameter draft: whether to include drafts as if they were published.
    package func preview(
        _ app: AppID, _ client: AppBuild, _ audience: Audience, language: String?, draft: Bool
    ) throws(RemoteFailure) -> JSON {
        let query = [("version", client.description), ("audience", audience.description), ("draft", "\(draft)")]
        return try json(
            Call(
                path: "/apps/\(app)/preview", query: query + (language.map { [("lang", $0)] } ?? []),
                remedy: ServiceError.appRemedy))
    }
}

/// Preview links.
extension RemoteService {
    /// - Parameters:
    ///   - set: the set whose draft the link shows; nil for all drafts.
    ///   - life: nil for the service's default.
    /// - Returns: the link with its token, which only this answer contains.
    package func createPreview(of app: AppID, _ set: SetName?, life: Duration?) throws(RemoteFailure) -> Answer {
        let body: JSON = [
            "version": set.map { .string($0.version) }, "audience": set.map { .string($0.audience) },
            "expiresIn": life.map { .string(Text($0.text)) },
        ]
        return try answer(Call(method: "POST", path: "/apps/\(app)/previews", body: body.encoded, remedy: ServiceError.appRemedy))
    }

    package func deletePreview(_ id: String, of app: AppID) throws(RemoteFailure) -> Answer {
        try answer(
            Call(
                method: "DELETE", path: "/apps/\(app)/previews/\(id.percentEncoded)",
                remedy: "longpress preview list --app \(app) lists the previews."))
    }
}

extension AppID {
    fileprivate var revisionRemedy: String { "longpress history \(self) lists the revisions." }
}
