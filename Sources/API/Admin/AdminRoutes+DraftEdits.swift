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
        let receipt = try stores.editDraft(try read(), change, of: app, by: call.author)
        let body: JSON = ["warnings": .array(receipt.warnings.map(\.json))]
        return .json(body, status: receipt.isNew ? .created : .ok, fields: .tagged(receipt.draft.tag))
    }

    /// The difference between the published set and the draft.
    private func diffDraft(_ call: AdminCall) throws(Failure) -> Response {
        let app = try call.app()
        let change = try call.draftChange()
        guard call.request.query["to"] == "draft" else {
            throw Failure(
                .invalidParameter,
                "to: use ?to=draft to compare the published set with its draft. To compare two revisions, use GET …/apps/{app}/diff.")
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
    /// - Parameter write: makes the same checks as the write.
    static func findings(_ write: () throws(Failure) -> [Warning]) throws(Failure) -> Response {
        .json(try DryRun(write).json)
    }
}
