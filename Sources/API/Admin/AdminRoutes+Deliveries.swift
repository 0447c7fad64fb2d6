import HTTP
import QuickActions
import Shortcuts

extension AdminRoutes {
    var deliveryRoutes: [Route] {
        [
            route(
                "listDeliveries", .get, "/webhooks/{id}/deliveries", .owner, app: .none,
                query: ["state", "body", "limit", "cursor"], listDeliveries),
            route("resendDelivery", .post, "/deliveries/{id}/resend", .owner, app: .none, resendDelivery),
            route("recoverWebhook", .post, "/webhooks/{id}/recover", .owner, app: .none, recoverWebhook),
            route("skipHeldDeliveries", .post, "/webhooks/{id}/skip", .owner, app: .none, skipHeldDeliveries),
            route("rotateWebhookSecret", .post, "/webhooks/{id}/rotate-secret", .owner, app: .none, rotateWebhookSecret),
        ]
    }

    private func listDeliveries(_ call: AdminCall) throws(Failure) -> Response {
        let (state, withBody, page) = (try call.deliveryState(), try call.flag("body"), try call.page())
        return .list(try stores.deliveries(to: try endpoint(call).id, in: state, withBody: withBody, page), \.json)
    }

    private func resendDelivery(_ call: AdminCall) throws(Failure) -> Response {
        let id = DeliveryID(call.parameters["id"])
        guard let delivery = try stores.delivery(id), let endpoint = try stores.endpoint(delivery.endpointID),
            call.identity.scope.covers(endpoint.scope)
        else { throw .unknownDelivery(id) }
        try call.requireNoDocument()
        return .json(try stores.resend(id, by: call.author).json, status: .accepted)
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
            throw Failure(.invalidParameter, "state: \(quoted(text)) is not a delivery's state. Use one of: \(states).")
        }
        return state
    }
}

extension Delivery {
    fileprivate var json: JSON {
        let json: JSON = [
            "id": .string(id), "webhookId": .string(webhookID), "type": .string(type.rawValue), "app": .optional(app),
            "state": .string(state.rawValue), "createdAt": .string(createdAt), "nextAttemptAt": .optional(nextAttemptAt),
            "attempts": .array(attempts.map(\.json)),
        ]
        return body.map { json.adding("body", .string($0)) } ?? json
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
