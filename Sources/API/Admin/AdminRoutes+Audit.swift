import HTTP
import QuickActions
import Shortcuts

extension AdminRoutes {
    var auditRoutes: [Route] {
        [route("listAudit", .get, "/audit", .owner, app: .none, query: ["limit", "cursor"], listAudit)]
    }

    private func listAudit(_ call: AdminCall) throws(Failure) -> Response {
        .list(try stores.audit(try call.page(), within: call.identity.scope), \.json)
    }
}

extension AuditEntry {
    fileprivate var json: JSON {
        let entry: JSON = [
            "at": .string(author.at), "token": .string(author.token), "action": .string(action.rawValue), "app": .optional(app),
            "version": .optional(version), "audience": .optional(audience), "revision": revision.map(JSON.integer) ?? .null,
            "address": .string(author.address), "request": .string(author.request),
        ]
        return entry.adding(membersOf: detail.json)
    }
}
