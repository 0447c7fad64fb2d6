import HTTP
import Testing

@testable import API

@Suite struct AllowedHostsTests {
    @Test(
        arguments: [
            ("127.0.0.1", true), ("127.0.0.1:8080", true), ("10.1.2.3:1", true), ("[::1]:8080", true), ("[2001:db8::1]", true),
            ("localhost", true), ("LOCALHOST:8080", true), ("localhost.:80", true), ("a.localhost", true), ("menus.example.com", true),
            ("Menus.Example.Com:443", true), ("menus.example.com.", true), ("evil.example", false), ("evil.example:8080", false),
            ("menus.example.com.evil.example", false), ("x.menus.example.com", false), ("127.0.0.1.evil.example", false),
            ("localhost.evil", false),
            ("1.2.3", false), ("", false),
        ])
    func `allows addresses, loopback names and what is named`(_ host: String, _ isAllowed: Bool) {
        #expect(AllowedHosts(["menus.example.com"]).allows(host) == isAllowed)
        #expect(AllowedHosts(["*"]).allows(host))
    }

    @Test(arguments: [Route.Checks.none, .head, .sender])
    func `another host is refused before the route's own checks`(_ checks: Route.Checks) throws {
        let route = Route(.put, "/x", name: "x", checks: checks) { _, _ in .refused(Response(.unauthorized)) }
        let router = Router(AllowedHosts([]).guarding([route]), failure: unrouted)
        func decide(_ host: String?) throws -> (RouteDecision, Request) {
            let request = try Request(.put, "/x", fields: host.map { ["Host": $0] } ?? [:])
            return (router.route(request), request)
        }
        for (host, status) in [("evil.example", 421), ("127.0.0.1", 401), (nil, 401)] as [(String?, Int)] {
            let (decision, request) = try decide(host)
            #expect(decision.respond(to: request).status.code == status && decision.checks == checks)
        }
        let (decision, request) = try decide("evil.example")
        #expect(String(decoding: decision.respond(to: request).body, as: UTF8.self).contains("--allowed-hosts"))
    }
}
