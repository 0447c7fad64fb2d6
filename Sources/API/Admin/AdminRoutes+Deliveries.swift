import HTTP
import QuickActions
import Shortcuts

extension AdminRoutes {
    var deliveryRoutes: [Route] {
        [
            route(
                "listDeliveries", .get, "/webhooks/{id}/deliveries", .owner, app: .none,
                query: ["state", "type", "body", "limit", "cursor"], listDeliveries),
            route("getDelivery", .get, "/deliveries/{id}", .owner, app: .none, getDelivery),
            route("resendDelivery", .post, "/deliveries/{id}/resend", .owner, app: .none, resendDelivery),
            route("recoverWebhook", .post, "/webhooks/{id}/recover", .owner, app: .none, recoverWebhook),
            route("skipHeldDeliveries", .post, "/webhooks/{id}/skip", .owner, app: .none, skipHeldDeliveries),
            route("rotateWebhookSecret", .post, "/webhooks/{id}/rotate-secret", .owner, app: .none, rotateWebhookSecret),
        ]
    }

    private func listDeliveries(_ call: AdminCall) throws(Failure) -> Response {
        let (state, type, page) = (try call.deliveryState(), try call.eventType(), try call.page())
        let withBody = try call.flag("body")
        return .list(try stores.deliveries(to: try endpoint(call).id, in: state, of: type, page)) { delivery in
            withBody ? delivery.json.adding("body", .string(delivery.body)) : delivery.json
        }
    }

    private func getDelivery(_ call: AdminCall) throws(Failure) -> Response {
        .json(try delivery(call).json)
    }

    private func resendDelivery(_ call: AdminCall) throws(Failure) -> Response {
        let id = try delivery(call).id
        try call.requireNoDocument()
        return .json(try stores.resend(id, by: call.author).json, status: .accepted)
    }

    /// The delivery of the path. A delivery to an endpoint beyond the token's scope is unknown.
    private func delivery(_ call: AdminCall) throws(Failure) -> Delivery {
        let id = DeliveryID(call.parameters["id"])
        guard let delivery = try stores.delivery(id), let endpoint = try stores.endpoint(delivery.endpointID),
            call.identity.scope.covers(endpoint.scope)
        else { throw .unknownDelivery(id) }
        return delivery
    }

    private func recoverWebhook(_ call: AdminCall) throws(Failure) -> Response {
        let id = try endpoint(call).id
        let since = try RecoveryDocument(try call.optionalJSON()).checked()
        let recovered = try stores.recover(id, since: since, by: call.author)
        return .json(["recovered": .integer(Int64(recovered))], status: .accepted)
    }

    private func skipHeldDeliveries(_ call: AdminCall) throws(Failure) -> Response {
        let id = try endpoint(call).id
        try call.requireNoDocument()
        return .json(["skipped": .integer(Int64(try stores.skipHeld(of: id, by: call.author)))], status: .accepted)
    }

    private func rotateWebhookSecret(_ call: AdminCall) throws(Failure) -> Response {
        let id = try endpoint(call).id
        let overlap = try SecretRotationDocument(try call.optionalJSON()).checked()
        let end = Timestamp(milliseconds: call.author.at.milliseconds + overlap.inMilliseconds)
        let secret = endpointRules.makeSecret()
        try stores.rotateSecret(of: id, to: secret, previousExpiresAt: end, by: call.author)
        return .json(["secret": .string(secret), "previousExpiresAt": .string(end)])
    }
}

extension AdminCall {
    fileprivate func deliveryState() throws(Failure) -> Delivery.State? {
        guard let text = request.query["state"] else { return nil }
        guard let state = Delivery.State(rawValue: text) else {
            let states = Delivery.State.allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure(.invalidParameter, "state: \(quoted(text)) is not a state of a delivery. Use one of: \(states).")
        }
        return state
    }

    fileprivate func eventType() throws(Failure) -> EventType? {
        guard let text = request.query["type"] else { return nil }
        guard let type = EventType(known: text) else { throw Failure(.invalidParameter, "type: \(EventType.rule(for: text))") }
        return type
    }
}

extension Delivery {
    fileprivate var json: JSON {
        [
            "id": .string(id), "webhookId": .string(webhookID), "type": .string(type.rawValue), "app": .optional(app),
            "state": .string(state.rawValue), "createdAt": .string(createdAt), "nextAttemptAt": .optional(nextAttemptAt),
            "attempts": .array(attempts.map(\.json)),
            "payload": (try? JSON(document: Array(body.utf8))) ?? .null,
        ]
    }
}

extension Attempt {
    fileprivate var json: JSON {
        let members: JSON = [
            "at": .string(at), "durationMs": .integer(durationMilliseconds), "status": status.map { .integer(Int64($0)) } ?? .null,
            "error": .optional(error), "response": .optional(response),
        ]
        return isManual ? members.adding("manual", .boolean(true)) : members
    }
}
