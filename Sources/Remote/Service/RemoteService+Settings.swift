import QuickActions

/// Apps, webhooks and tokens.
extension RemoteService {
    /// - Throws: if the app exists.
    package func createApp(_ app: AppID, _ document: JSON) throws(RemoteFailure) -> Answer {
        try answer(Call(method: "PUT", path: "/apps/\(app)", fields: [("If-None-Match", "*")], body: document.encoded))
    }

    /// - Parameters:
    ///   - changes: the members that change; null removes a member.
    ///   - reason: why the number of approvals is lowered.
    package func changeApp(_ app: AppID, _ changes: JSON, overriding reason: String?) throws(RemoteFailure) -> Answer {
        let query = reason.map { [("override", $0)] } ?? []
        return try answer(Call(method: "PATCH", path: "/apps/\(app)", query: query, body: changes.encoded, remedy: ServiceError.appRemedy))
    }

    /// - Returns: the webhook with its secret, which only this answer contains.
    package func createWebhook(_ document: JSON) throws(RemoteFailure) -> Answer {
        try answer(Call(method: "POST", path: "/webhooks", body: document.encoded))
    }

    /// Sends `webhook.ping` to the webhook.
    /// - Returns: the id of the delivery.
    package func ping(_ webhook: String) throws(RemoteFailure) -> Answer {
        try answer(Call(method: "POST", path: "/webhooks/\(webhook.percentEncoded)/ping", remedy: Self.webhookRemedy))
    }

    private static let webhookRemedy = "longpress webhook list lists the webhooks."

    package func delivery(_ id: String) throws(RemoteFailure) -> JSON {
        try json(Call(path: "/deliveries/\(id.percentEncoded)"))
    }

    /// Retries exhausted and held deliveries.
    /// - Parameter since: nil for all.
    package func recover(_ webhook: String, since: Timestamp?) throws(RemoteFailure) -> Answer {
        let body: JSON = ["since": since.map { .string($0) }]
        return try answer(
            Call(method: "POST", path: "/webhooks/\(webhook.percentEncoded)/recover", body: body.encoded, remedy: Self.webhookRemedy))
    }

    /// - Returns: the token with its secret, which only this answer contains.
    package func createToken(_ document: JSON) throws(RemoteFailure) -> Answer {
        try answer(Call(method: "POST", path: "/tokens", body: document.encoded))
    }

    package func revokeToken(_ id: String) throws(RemoteFailure) -> Answer {
        try answer(Call(method: "DELETE", path: "/tokens/\(id.percentEncoded)", remedy: "longpress token list lists the tokens."))
    }
}
