import HTTP
import QuickActions
import Shortcuts

extension AdminRoutes {
    var approvalRoutes: [Route] {
        let approve = "/apps/{app}/sets/{version}/draft/approve"
        return [
            route("approveDraft", .post, approve, .publisher, query: ["audience"], approveDraft),
            route("withdrawApproval", .delete, approve, .publisher, query: ["audience"], withdrawApproval),
        ]
    }

    private func approveDraft(_ call: AdminCall) throws(Failure) -> Response {
        let app = try call.app()
        let change = try call.draftChange()
        try call.requireNoDocument()
        // What is approved is what was read: a draft that was saved meanwhile is another one.
        guard let field = call.request.fields.combined("If-Match"), field != "*" else {
            throw Failure(
                .preconditionRequired,
                "Approve what you have read: send the field If-Match with the ETag that GET …/draft answered.")
        }
        let count = try stores.approveDraft(change, of: app, by: call.author)
        return .json(["approvals": .integer(Int64(count.given)), "needed": .integer(count.needed)])
    }

    private func withdrawApproval(_ call: AdminCall) throws(Failure) -> Response {
        let app = try call.app()
        try stores.withdrawApproval(try call.draftChange(), of: app, by: call.author)
        return .noContent
    }
}
