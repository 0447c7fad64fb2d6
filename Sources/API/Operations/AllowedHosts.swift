import HTTP
import QuickActions

/// The host names that the admin plane, the operations and the console accept.
///
/// With DNS rebinding, an attacker's page has a host name that points at this machine. For the browser that page has the same origin as
/// this service, but it sends its own name as `Host`. An IP address and a loopback name cannot be redirected here, so they are always
/// allowed.
package struct AllowedHosts: Sendable {
    /// In lower case; nil if every host is allowed.
    private let names: Set<String>?

    /// - Parameter names: host names without ports; `*` allows every host.
    package init(_ names: [String]) {
        self.names = names.contains("*") ? nil : Set(names.map { $0.lowercased() })
    }

    /// Guards the routes: requests with other hosts get 421 before anything else.
    package func guarding(_ routes: [Route]) -> [Route] {
        names == nil ? routes : routes.map { $0.behind(refusal) }
    }

    private func refusal(of request: Request) -> Response? {
        // A request without `Host` is HTTP/1.0, which no browser sends.
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
