import HTTP
import QuickActions
import Shortcuts

extension AdminRoutes {
    var draftRoutes: [Route] {
        let draft = "/apps/{app}/sets/{version}/draft"
        return [
            route("listDrafts", .get, "/apps/{app}/drafts", .reader, query: ["limit", "cursor"], listDrafts),
            route("putDraft", .put, draft, .editor, query: ["audience", "dryRun"], putDraft),
            route("getDraft", .get, draft, .reader, query: ["audience"], getDraft),
            route("deleteDraft", .delete, draft, .editor, query: ["audience"], deleteDraft),
            route("publishDraft", .post, "/apps/{app}/sets/{version}/publish", .publisher, query: ["audience", "override"], publishDraft),
        ]
    }

    /// Lists the drafts with their approvals.
    private func listDrafts(_ call: AdminCall) throws(Failure) -> Response {
        let app = try call.app()
        return try .list(try call.page(), read: { page throws(Failure) in try stores.drafts(of: app, page) }, \.summary)
    }

    private func putDraft(_ call: AdminCall) throws(Failure) -> Response {
        let app = try app(call)
        return try editDraft(call) { () throws(Failure) in
            .replacement(try ShortcutSetDocument(try call.json(), defaultLanguage: app.defaultLanguage).checked())
        }
    }

    /// The document as `PUT` accepts it. `Longpress-Approvals` has the draft's approvals and the required number: `1/2`. `Longpress-Base`
    /// is the revision of the set that the draft was made from.
    private func getDraft(_ call: AdminCall) throws(Failure) -> Response {
        let app = try app(call)
        let draft = try draft(try call.draftChange(), of: app.id)
        var fields: Fields = ["Longpress-Approvals": "\(draft.consents)/\(app.approvals)"]
        if let base = draft.base { fields.append("Longpress-Base", "\(base)") }
        return call.answer(draft.set.json, tag: draft.tag, fields: fields)
    }

    func draft(_ change: DraftChange, of app: AppID) throws(Failure) -> Draft {
        guard let draft = try stores.draft(change.version, change.audience, of: app) else {
            let below = try stores.draft(effectiveFor: change.version, change.audience, of: app)
            throw .unknownDraft(change.version, change.audience, below: below?.version)
        }
        return draft
    }

    private func deleteDraft(_ call: AdminCall) throws(Failure) -> Response {
        let app = try call.app()
        try stores.deleteDraft(try call.draftChange(), of: app, by: call.author)
        return .noContent
    }

    /// Publishes the draft now, or schedules it for the time in the body.
    private func publishDraft(_ call: AdminCall) throws(Failure) -> Response {
        let app = try call.app()
        let change = try call.draftChange()
        let override = try call.override()
        let times = try PublishDocument(try call.optionalJSON()).checked(now: call.author.at, mayEnd: true)
        guard let time = times.at else {
            return .published(try stores.publishDraft(change, until: times.until, override: override, of: app, by: call.author))
        }
        return .scheduled(
            try stores.scheduleDraft(change, at: time, until: times.until, override: override, of: app, by: call.author))
    }
}

extension AdminCall {
    func draftChange() throws(Failure) -> DraftChange {
        DraftChange(
            version: try parameters.version(), audience: try request.query.audience ?? .default, writeCondition: writeCondition(),
            base: try base())
    }

    /// `Longpress-Base`: a revision, or 0.
    private func base() throws(Failure) -> Int64? {
        guard let text = request.fields.combined("Longpress-Base") else { return nil }
        guard let number = Int64(text), text.utf8.allSatisfy(\.isASCIIDigit) else {
            throw Failure(
                .invalidParameter,
                "Longpress-Base: \(quoted(text)) is not a revision. Send the number of the set's revision, or 0 if there is no set.")
        }
        return number
    }
}

extension Draft {
    var summary: JSON {
        [
            "version": .string(version), "audience": .string(audience), "savedAt": .string(savedAt), "by": .string(savedBy),
            "approvals": .array(approvals.map(\.summary)),
        ]
    }
}
