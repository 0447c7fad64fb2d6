import HTTP
import QuickActions
import Shortcuts

extension AdminRoutes {
    var streamRoutes: [Route] {
        [route("followChanges", .get, "/stream", .reader, app: .none, query: ["app"], repeatable: ["app"], runs: .onOpener, follow)]
    }

    /// The live stream for who is signed in, for as long as that lasts.
    private func follow(_ call: AdminCall) throws(Failure) -> Response {
        let (request, scope) = (call.request, call.identity.scope)
        for name in request.query.all("app") {
            guard scope == .all || AppID(name).map(scope.contains) ?? false else { throw .outOfReach(name, of: call.identity) }
        }
        let apps = try streaming.opener.apps(in: request.query)
        let access = try streaming.streams.newAccess(of: call.identity)
        // The store was read before the stream was registered: an end in between is found here, a later one by who watches.
        var subject = Refusal.Subject()
        _ = try authenticator.authenticate(request, &subject)
        guard authenticator.isCurrent(call.identity) else {
            throw Failure(.unauthenticated, "The roles have just been changed. Ask again.")
        }
        streaming.watch()
        return try streaming.opener.open(apps, for: request, under: access)
    }
}
