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
        .object([
            JSON.Member("at", .string(author.at.description)), JSON.Member("token", .string(author.token)),
            JSON.Member("action", .string(action.rawValue)), JSON.Member("app", .optional(app?.description)),
            JSON.Member("version", .optional(version?.description)),
            JSON.Member("audience", .optional(audience?.description)),
            JSON.Member("revision", revision.map(JSON.integer) ?? .null),
            JSON.Member("address", .string(author.address)), JSON.Member("request", .string(author.request)),
        ])
    }
}
