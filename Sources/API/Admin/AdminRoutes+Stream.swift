import HTTP
import QuickActions
import Shortcuts

extension AdminRoutes {
    var streamRoutes: [Route] {
        [route("followChanges", .get, "/stream", .reader, app: .none, query: ["app"], repeatable: ["app"], runs: .onOpener, follow)]
    }

    /// Opens the live stream for the sender, for as long as the token or session is valid.
    private func follow(_ call: AdminCall) throws(Failure) -> Response {
        let (request, scope) = (call.request, call.identity.scope)
        for name in request.query.all("app") {
            guard scope == .all || AppID(name).map(scope.contains) ?? false else { throw .outOfReach(name, of: call.identity) }
        }
        let apps = try streaming.opener.apps(in: request.query)
        let access = try streaming.streams.newAccess(of: call.identity)
        // The store was read before the stream was registered. This check finds a revocation in between; the monitor finds later ones.
        var subject = Refusal.Subject()
        _ = try authenticator.authenticate(request, &subject)
        guard authenticator.isCurrent(call.identity) else {
            throw Failure(.unauthenticated, "The roles have just changed. Send the request again.")
        }
        streaming.watch()
        return try streaming.opener.open(apps, for: request, under: access)
    }
}
