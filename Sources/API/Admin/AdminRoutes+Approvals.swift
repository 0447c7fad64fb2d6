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
        // An approval is for the draft that the approver read. A draft that was saved since has another entity tag.
        guard let field = call.request.fields.combined("If-Match"), field != "*" else {
            throw Failure(
                .preconditionRequired,
                "An approval must name the draft that you read. Send the field If-Match with the ETag from GET …/draft.")
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
