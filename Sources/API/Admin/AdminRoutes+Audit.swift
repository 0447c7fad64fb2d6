import HTTP
import QuickActions
import Shortcuts

extension AdminRoutes {
    var auditRoutes: [Route] {
        [
            route(
                "listAudit", .get, "/audit", .owner, app: .none,
                query: ["app", "token", "tokenID", "action", "target", "from", "to", "after", "limit", "cursor"],
                listAudit)
        ]
    }

    private func listAudit(_ call: AdminCall) throws(Failure) -> Response {
        .list(try stores.audit(try call.page(), matching: try call.auditFilter(), within: call.identity.scope), \.json)
    }
}

extension AdminCall {
    /// `app`, `token`, `tokenID`, `action`, `target`, `from`, `to` and `after`.
    /// - Throws: `forbidden` for an app beyond the token's scope; `invalidParameter`.
    fileprivate func auditFilter() throws(Failure) -> AuditFilter {
        var filter = AuditFilter()
        if let text = request.query["app"] {
            guard identity.scope == .all || AppID(text).map(identity.scope.contains) ?? false else { throw .outOfReach(text, of: identity) }
            filter.app = try AppID(text, of: "app")
        }
        filter.token = try searched("token", "the name of a token")
        filter.tokenID = try searched("tokenID", "the id of a token", upTo: 110).map { TokenID($0) }
        filter.target = try searched("target", "the id of a target", upTo: 400)
        filter.action = try request.query["action"].map { text throws(Failure) in
            guard let action = AuditEntry.Action.allCases.first(where: { $0.rawValue == text }) else { throw .unknownAction(text) }
            return action
        }
        filter.after = try request.query["after"].map { text throws(Failure) in
            guard let id = Int64(text), id >= 0, text.utf8.allSatisfy(\.isASCIIDigit) else {
                throw Failure(
                    .invalidParameter, "after: \(quoted(text)) is not the id of an entry. Use the id of the last entry that you have.")
            }
            return id
        }
        (filter.from, filter.to) = (try instant("from"), try instant("to"))
        if let from = filter.from, let to = filter.to, from > to {
            throw Failure(.invalidParameter, "from: \(from) is later than to (\(to)). Swap them.")
        }
        return filter
    }
}

extension Failure {
    fileprivate static func unknownAction(_ text: String) -> Failure {
        let known = AuditEntry.Action.allCases.map(\.rawValue)
        let nearest =
            nearestName(to: text, among: known).map { "Did you mean \(quoted($0))?" } ?? "Use one of: \(known.joined(separator: ", "))."
        return Failure(.invalidParameter, "action: \(quoted(text)) is not an audit action. \(nearest)")
    }
}

extension AuditEntry {
    fileprivate var json: JSON {
        let entry: JSON = [
            "id": id.map { .string("\($0)") } ?? .null, "at": .string(author.at), "token": author.isService ? .null : .string(author.token),
            "tokenID": .optional(author.tokenID), "owner": .optional(author.owner), "role": .optional(author.role?.rawValue),
            "session": .optional(author.session),
            "action": .string(action.rawValue),
            "app": .optional(app),
            "version": .optional(version), "audience": .optional(audience), "revision": revision.map(JSON.integer) ?? .null,
            "address": author.isService ? .null : .string(author.address),
            "request": author.isService ? .null : .string(author.request), "target": target?.json ?? .null,
        ]
        return entry.adding(membersOf: detail.json)
    }
}
