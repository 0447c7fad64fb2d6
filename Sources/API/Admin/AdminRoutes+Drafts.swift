import HTTP
import QuickActions
import Shortcuts

extension AdminRoutes {
    var draftRoutes: [Route] {
        let draft = "/apps/{app}/sets/{version}/draft"
        return [
            route("listDrafts", .get, "/apps/{app}/drafts", .reader, query: ["limit", "cursor"], listDrafts),
            route("putDraft", .put, draft, .editor, query: ["audience", "dryRun", "incomplete"], putDraft),
            route("getDraft", .get, draft, .reader, query: ["audience"], getDraft),
            route("deleteDraft", .delete, draft, .editor, query: ["audience"], deleteDraft),
            route(
                "publishDraft", .post, "/apps/{app}/sets/{version}/publish", .publisher, query: ["audience", "override", "stop"],
                publishDraft),
        ]
    }

    /// Lists the drafts with their approvals and reviews.
    private func listDrafts(_ call: AdminCall) throws(Failure) -> Response {
        let app = try app(call)
        return try .list(
            try call.page(), read: { page throws(Failure) in try stores.drafts(of: app.id, page) }, { $0.summary(in: app) })
    }

    private func putDraft(_ call: AdminCall) throws(Failure) -> Response {
        let app = try app(call)
        // A dry run lists the same findings for both.
        let (allowsIncomplete, isDryRun) = (try call.flag("incomplete"), try call.flag("dryRun"))
        return try editDraft(call) { () throws(Failure) -> DraftEdit in
            let json = try call.json()
            guard !allowsIncomplete || isDryRun else {
                return .incomplete(try DraftContent(incomplete: json, defaultLanguage: app.defaultLanguage))
            }
            return .replacement(try ShortcutSetDocument(json, defaultLanguage: app.defaultLanguage).checked())
        }
    }

    /// The document as `PUT` accepts it. `Longpress-Approvals` has the draft's approvals and the required number: `1/2`. `Longpress-Base`
    /// is the revision of the set that the draft was made from.
    private func getDraft(_ call: AdminCall) throws(Failure) -> Response {
        let app = try app(call)
        let draft = try draft(try call.draftChange(), of: app.id)
        var fields: Fields = ["Longpress-Approvals": "\(draft.consents)/\(app.approvals)"]
        if let base = draft.base { fields.append("Longpress-Base", "\(base)") }
        return call.answer(draft.document, tag: draft.tag, fields: fields)
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
        var change = try call.draftChange()
        change.stopsCandidate = try call.flag("stop")
        let override = try call.override()
        let options = try PublishDocument(try call.optionalJSON()).checked(now: call.author.at, mayEnd: true)
        change.message = options.message
        guard let time = options.at else {
            return .published(try stores.publishDraft(change, options, override: override, of: app, by: call.author))
        }
        return .scheduled(
            try stores.scheduleDraft(change, at: time, until: options.until, override: override, of: app, by: call.author))
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
    fileprivate func summary(in app: App) -> JSON {
        [
            "version": .string(version), "audience": .string(audience), "savedAt": .string(savedAt), "by": .string(savedBy),
            "approvals": .array(approvals.map(\.summary)), "review": reviewSummary(needing: app.approvals),
            "incomplete": .boolean(incomplete != nil),
        ]
    }
}

extension AdminRoutes {
    var draftEditRoutes: [Route] {
        let set = "/apps/{app}/sets/{version}"
        return [
            route("patchDraft", .patch, set + "/draft", .editor, query: ["audience", "dryRun"], patchDraft),
            route("patchDraftItem", .patch, set + "/draft/items/{item}", .editor, query: ["audience", "dryRun"], patchDraftItem),
            route("diffDraft", .get, set + "/diff", .reader, query: ["audience", "to"], diffDraft),
        ]
    }

    /// A JSON merge patch (RFC 7396) of the draft. Without a draft, it starts from the published set.
    private func patchDraft(_ call: AdminCall) throws(Failure) -> Response {
        try editDraft(call) { () throws(Failure) in .patch(try call.mergePatch()) }
    }

    /// A JSON merge patch (RFC 7396) of one item of the draft.
    private func patchDraftItem(_ call: AdminCall) throws(Failure) -> Response {
        try editDraft(call) { () throws(Failure) in .itemPatch(ItemPatch(try call.mergePatch(), of: try call.item())) }
    }

    /// Saves the draft, or checks in a dry run whether it can be saved.
    /// - Parameter read: reads the body. Its violations are findings of a dry run.
    func editDraft(_ call: AdminCall, _ read: () throws(Failure) -> DraftEdit) throws(Failure) -> Response {
        let app = try call.app()
        let change = try call.draftChange()
        guard try !call.flag("dryRun") else {
            return try .findings { () throws(Failure) in try stores.tryDraft(try read(), change, of: app) }
        }
        let edit = try read()
        let receipt = try stores.editDraft(edit, change, of: app, by: call.author)
        let body: JSON = [
            "violations": edit.mayBeIncomplete ? .array(receipt.violations.map(\.json)) : nil,
            "warnings": .array(receipt.warnings.map(\.json)),
        ]
        return .json(body, status: receipt.isNew ? .created : .ok, fields: .tagged(receipt.draft.tag))
    }

    /// The difference between the published set and the draft.
    private func diffDraft(_ call: AdminCall) throws(Failure) -> Response {
        let app = try app(call)
        let change = try call.draftChange()
        guard call.request.query["to"] == "draft" else {
            throw Failure(
                .invalidParameter,
                "to: use ?to=draft to compare the published set with its draft. To compare two revisions, use GET …/apps/{app}/diff.")
        }
        let draft = try draft(change, of: app.id)
        let current = try stores.set(change.version, change.audience, of: app.id)
        let compared: JSON = ["from": current?.summary(for: change.audience) ?? .null, "to": draft.summary(in: app)]
        return .json(compared.adding(membersOf: SetDifference(from: current?.set, to: draft.set).json))
    }
}

extension AdminCall {
    /// The item of the path.
    func item() throws(Failure) -> ItemID {
        let text = parameters["item"]
        guard let item = ItemID(text) else { throw Failure(.unknownResource, "The set has no item \(quoted(text)).") }
        return item
    }
}

extension Response {
    /// The answer to a dry run.
    /// - Parameter write: makes the same checks as the write.
    static func findings(_ write: () throws(Failure) -> [Warning]) throws(Failure) -> Response {
        .json(try DryRun(write).json)
    }
}

extension AdminRoutes {
    var approvalRoutes: [Route] {
        let approve = "/apps/{app}/sets/{version}/draft/approve"
        let review = "/apps/{app}/sets/{version}/draft/review"
        return [
            route("getReview", .get, review, .reader, query: ["audience"], getReview),
            route("requestReview", .post, review, .editor, query: ["audience"], requestReview),
            route("approveDraft", .post, approve, .publisher, query: ["audience"], approveDraft),
            route("withdrawApproval", .delete, approve, .publisher, query: ["audience"], withdrawApproval),
        ]
    }

    private func approveDraft(_ call: AdminCall) throws(Failure) -> Response {
        let app = try call.app()
        let change = try call.draftChange()
        try call.requireNoDocument()
        // An approval is for the draft that the approver read. A draft that was saved since has another entity tag.
        guard let field = call.request.fields.combined("If-Match"), field != "*" else {
            throw Failure(
                .preconditionRequired,
                "An approval must name the draft that you read. Send the field If-Match with the ETag from GET …/draft.")
        }
        let count = try stores.approveDraft(change, of: app, by: call.author)
        return .json(["approvals": .integer(Int64(count.given)), "needed": .integer(count.needed)])
    }

    /// The state of the draft's review, and who may approve it.
    private func getReview(_ call: AdminCall) throws(Failure) -> Response {
        .json(try stores.review(of: try call.draftChange(), of: try call.app(), by: call.author).json)
    }

    /// Asks for approval, or for changes.
    private func requestReview(_ call: AdminCall) throws(Failure) -> Response {
        let app = try call.app()
        let change = try call.draftChange()
        let request = try DraftReviewDocument(try call.json()).checked()
        guard !request.asksForChanges || call.identity.role >= .publisher else {
            throw Failure(
                .forbidden,
                "Asking for changes requires the role publisher; \(call.identity.noun) has \(call.identity.role.rawValue).")
        }
        return .json(try stores.review(change, request, of: app, by: call.author).json)
    }

    private func withdrawApproval(_ call: AdminCall) throws(Failure) -> Response {
        let app = try call.app()
        try stores.withdrawApproval(try call.draftChange(), of: app, by: call.author)
        return .noContent
    }
}
