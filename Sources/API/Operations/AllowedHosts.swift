import HTTP
import QuickActions

/// The hosts by which the admin plane, the operations and the console may be addressed.
///
/// A page whose own name points at this machine (DNS rebinding) is of the same origin as this service for a browser, but it sends that name
/// as `Host`. An IP address and a loopback name cannot be made to point here, so that they are always allowed.
package struct AllowedHosts: Sendable {
    /// In lower case; nil where every host is allowed.
    private let names: Set<String>?

    /// - Parameter names: host names without ports; `*` allows every host.
    package init(_ names: [String]) {
        self.names = names.contains("*") ? nil : Set(names.map { $0.lowercased() })
    }

    /// The routes, which answer other hosts with 421 before anything else.
    package func guarding(_ routes: [Route]) -> [Route] {
        names == nil ? routes : routes.map(guarding)
    }

    private func guarding(_ route: Route) -> Route {
        var precheck: Route.Precheck?
        if let own = route.precheck {
            precheck = { request, parameters in refusal(of: request) ?? own(request, parameters) }
        }
        return Route(
            route.method, route.path, name: route.name, bodyLimit: route.bodyLimit, runs: route.runs, precheck: precheck,
            authenticates: route.authenticates
        ) { request, parameters in refusal(of: request) ?? route.handler(request, parameters) }
    }

    private func refusal(of request: Request) -> Response? {
        // Without the field the request is of HTTP/1.0, which no browser sends.
        guard let authority = request.fields.first("Host"), !allows(authority) else { return nil }
        var response = Response.refusing(
            .misdirected(host: authority), instance: request.id, about: Refusal.Subject(address: request.sender.address))
        response.closesConnection = false
        return response
    }

    func allows(_ authority: String) -> Bool {
        guard let names else { return true }
        guard let host = RequestedHost(authority) else { return false }
        let name = host.name.hasSuffix(".") ? String(host.name.dropLast()) : host.name
        return name.hasPrefix("[") || IPAddress(name) != nil || name == "localhost" || name.hasSuffix(".localhost") || names.contains(name)
    }
}
