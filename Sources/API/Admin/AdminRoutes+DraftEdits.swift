import HTTP
import QuickActions
import Shortcuts

extension AdminRoutes {
    var draftEditRoutes: [Route] {
        let set = "/apps/{app}/sets/{version}"
        return [
            route("patchDraft", .patch, set + "/draft", .editor, query: ["audience", "dryRun"], patchDraft),
            route("patchDraftItem", .patch, set + "/draft/items/{item}", .editor, query: ["audience", "dryRun"], patchDraftItem),
            route("diffDraft", .get, set + "/diff", .reader, query: ["audience", "to"], diffDraft),
        ]
    }

    /// A JSON merge patch (RFC 7396) of the draft, which begins with what is published where there is none.
    private func patchDraft(_ call: AdminCall) throws(Failure) -> Response {
        try editDraft(call) { () throws(Failure) in .patch(try call.mergePatch()) }
    }

    /// The same of one of its items.
    private func patchDraftItem(_ call: AdminCall) throws(Failure) -> Response {
        try editDraft(call) { () throws(Failure) in .itemPatch(ItemPatch(try call.mergePatch(), of: try call.item())) }
    }

    /// Saves the draft, or finds out whether it could be saved.
    /// - Parameter read: reads the body; its violations are findings of a dry run.
    func editDraft(_ call: AdminCall, _ read: () throws(Failure) -> DraftEdit) throws(Failure) -> Response {
        let app = try call.app()
        let change = try call.draftChange()
        guard try !call.flag("dryRun") else {
            return try .findings { () throws(Failure) in try stores.tryDraft(try read(), change, of: app) }
        }
        let receipt = try stores.editDraft(try read(), change, of: app, by: call.author)
        let body: JSON = ["warnings": .array(receipt.warnings.map(\.json))]
        return .json(body, status: receipt.isNew ? .created : .ok, fields: .tagged(receipt.draft.tag))
    }

    /// The difference between what is published and the draft.
    private func diffDraft(_ call: AdminCall) throws(Failure) -> Response {
        let app = try call.app()
        let change = try call.draftChange()
        guard call.request.query["to"] == "draft" else {
            throw Failure(
                .invalidParameter,
                "to: give ?to=draft, for what changes from the published set to its draft. GET …/apps/{app}/diff compares two revisions.")
        }
        let draft = try draft(change, of: app)
        let standing = try stores.set(change.version, change.audience, of: app)
        let compared: JSON = ["from": standing?.summary(for: change.audience) ?? .null, "to": draft.summary]
        return .json(compared.adding(membersOf: SetDifference(from: standing?.set, to: draft.set).json))
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
    /// - Parameter write: checks as the write would.
    static func findings(_ write: () throws(Failure) -> [Warning]) throws(Failure) -> Response {
        .json(try DryRun(write).json)
    }
}
