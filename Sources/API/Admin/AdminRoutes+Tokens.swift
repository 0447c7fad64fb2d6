import HTTP
import QuickActions
import Shortcuts

extension AdminRoutes {
    var tokenRoutes: [Route] {
        [
            route("listTokens", .get, "/tokens", .owner, app: .none, query: ["limit", "cursor"], listTokens),
            route("createToken", .post, "/tokens", .owner, app: .none, createToken),
            route("deleteToken", .delete, "/tokens/{id}", .owner, app: .none, deleteToken),
        ]
    }

    private func listTokens(_ call: AdminCall) throws(Failure) -> Response {
        .list(try stores.tokens(try call.page(), within: call.identity.scope)) { $0.json(maxAge: authenticator.maxTokenAge) }
    }

    private func createToken(_ call: AdminCall) throws(Failure) -> Response {
        let input = try TokenDocument(try call.json()).checked(now: call.author.at, maxAge: authenticator.maxTokenAge)
        guard call.identity.scope.covers(input.scope) else {
            throw Failure(
                .forbidden,
                "\(call.identity.title) can only create tokens for its own apps. In apps, list only apps of your token.")
        }
        // The first token expires after a day, so it may create tokens that outlast it.
        if let end = call.identity.expiresAt, input.expiresAt.map({ $0 > end }) ?? true,
            try stores.token(call.identity.id)?.createdBy != Token.firstStart
        {
            throw Failure(
                .forbidden,
                "\(call.identity.title) expires at \(end.shortText) and cannot create a token that expires later. Set expiresAt to that "
                    + "time or earlier.")
        }
        let made = NewToken(
            input, id: TokenID(generator.makeID()), secretBytes: generator.makeBytes(32), createdBy: call.author.tokenID,
            at: call.author.at)
        try stores.createToken(made.token, by: call.author)
        return .json(made.token.created(secret: made.secret), status: .created)
    }

    private func deleteToken(_ call: AdminCall) throws(Failure) -> Response {
        let id = TokenID(call.parameters["id"])
        guard let token = try stores.token(id), call.identity.scope.covers(token.scope) else {
            throw .unknownToken(id)
        }
        try stores.revokeToken(id, by: call.author)
        return .noContent
    }
}
