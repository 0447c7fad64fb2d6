import HTTP
import QuickActions
import Shortcuts

extension AdminRoutes {
    var webhookRoutes: [Route] {
        [
            route("listWebhooks", .get, "/webhooks", .owner, app: .none, query: ["limit", "cursor"], listWebhooks),
            route("createWebhook", .post, "/webhooks", .owner, app: .none, createWebhook),
            route("getWebhook", .get, "/webhooks/{id}", .owner, app: .none, getWebhook),
            route("patchWebhook", .patch, "/webhooks/{id}", .owner, app: .none, patchWebhook),
            route("deleteWebhook", .delete, "/webhooks/{id}", .owner, app: .none, deleteWebhook),
            route("pingWebhook", .post, "/webhooks/{id}/ping", .owner, app: .none, pingWebhook),
        ]
    }

    private func listWebhooks(_ call: AdminCall) throws(Failure) -> Response {
        let page = try stores.endpoints(try call.page(), within: call.identity.scope)
        let blocking = try stores.blockingDeliveries(of: page.items)
        return .list(page) { $0.json(waitingFor: blocking[$0.id]) }
    }

    private func getWebhook(_ call: AdminCall) throws(Failure) -> Response {
        .json(try described(try endpoint(call)))
    }

    private func described(_ endpoint: Endpoint) throws(Failure) -> JSON {
        endpoint.json(waitingFor: try stores.blockingDeliveries(of: [endpoint])[endpoint.id])
    }

    private func createWebhook(_ call: AdminCall) throws(Failure) -> Response {
        let secret = endpointRules.makeSecret()
        let endpoint = try EndpointDocument(try call.json(), rules: endpointRules)
            .created(id: EndpointID(generator.makeID()), secret: secret, at: call.author.at)
        try requireScope(endpoint, call)
        // Before the endpoint is stored: the answer with the secret is sent only once.
        let warnings = try warnings(of: endpoint, after: nil)
        try stores.createEndpoint(endpoint, by: call.author)
        return .json(endpoint.json(waitingFor: nil).adding("secret", .string(secret)).adding("warnings", warnings), status: .created)
    }

    private func patchWebhook(_ call: AdminCall) throws(Failure) -> Response {
        let previous = try endpoint(call)
        let patch = EndpointDocument(try call.mergePatch(), rules: endpointRules)
        var newSecret: String?
        let updated = try stores.updateEndpoint(
            previous.id, isEnabling: patch.isEnabling, isRecovering: patch.isRecovering, by: call.author
        ) { endpoint throws(Failure) in
            let changed = try patch.applied(to: endpoint, at: call.author.at)
            try requireScope(changed, call)
            newSecret = changed.secrets.current == endpoint.secrets.current ? nil : changed.secrets.current
            return changed
        }
        let document = try described(updated).adding("warnings", try warnings(of: updated, after: previous))
        return .json(newSecret.map { document.adding("secret", .string($0)) } ?? document)
    }

    private func deleteWebhook(_ call: AdminCall) throws(Failure) -> Response {
        try stores.deleteEndpoint(try endpoint(call).id, by: call.author)
        return .noContent
    }

    private func pingWebhook(_ call: AdminCall) throws(Failure) -> Response {
        let endpoint = try endpoint(call)
        try call.requireNoDocument()
        let delivery = try stores.ping(endpoint.id, by: call.author)
        return .json(["id": .string(delivery), "warnings": .array(endpoint.pingWarnings.map(\.json))], status: .accepted)
    }

    /// - Parameter previous: the endpoint before a patch.
    private func warnings(of endpoint: Endpoint, after previous: Endpoint?) throws(Failure) -> JSON {
        var unknown: Set<AppID> = []
        for app in endpoint.apps ?? [] where try stores.app(app) == nil { unknown.insert(app) }
        return .array(endpoint.warnings(unknown, after: previous).map(\.json))
    }

    /// The webhook of the path. A webhook beyond the token's scope is unknown.
    func endpoint(_ call: AdminCall) throws(Failure) -> Endpoint {
        let id = EndpointID(call.parameters["id"])
        guard let endpoint = try stores.endpoint(id), call.identity.scope.covers(endpoint.scope) else {
            throw .unknownEndpoint(id)
        }
        return endpoint
    }

    private func requireScope(_ endpoint: Endpoint, _ call: AdminCall) throws(Failure) {
        guard call.identity.scope.covers(endpoint.scope) else {
            throw Failure(
                .forbidden,
                "\(call.identity.title) can only subscribe to its own apps. In apps, list only apps of your token.")
        }
    }
}

extension Endpoint {
    fileprivate func json(waitingFor blocking: BlockingDelivery?) -> JSON {
        [
            "id": .string(id), "url": .string(url), "types": types.map { .array($0.map { .string($0.rawValue) }) } ?? .null,
            "apps": scope.json, "description": .optional(description),
            "headers": .object(headers.map { JSON.Member(Text($0.name), .string(Endpoint.Header.redactedValue)) }),
            "ordered": .boolean(ordered), "enabled": .boolean(enabled), "disabledReason": .optional(disabledReason?.rawValue),
            "disabledAt": .optional(disabledAt), "waitsFor": blocking?.json ?? .null, "createdAt": .string(createdAt),
        ]
    }
}

extension BlockingDelivery {
    fileprivate var json: JSON {
        ["delivery": .string(id), "state": .string(state.rawValue), "nextAttemptAt": .optional(nextAttemptAt)]
    }
}
