import Testing

@testable import HTTP

@Suite struct RouterTests {
    private let router = Router(
        [(Method.get, "/a"), (.put, "/a"), (.get, "/a/{id}/b"), (.post, "/c")].map { method, path in
            Route(method, path, name: "\(method) \(path)", runs: .onLoop) { _, parameters in
                Response(status: .ok, body: Array(parameters["id"].utf8))
            }
        })

    private func outcome(_ method: Method, _ target: String) -> String {
        guard let parts = RequestTarget(target) else { return "no target" }
        return switch router.match(method, parts.path) {
        case .route(let route, let parameters): route.name + " " + parameters["id"]
        case .options(let allow): "options " + allow
        case .notFound: "404"
        case .methodNotAllowed(let allow): "405 " + allow
        case .notImplemented: "501"
        }
    }

    @Test(arguments: [
        (Method.get, "/a", "GET /a "), (.head, "/a?x=1", "GET /a "), (.put, "/a", "PUT /a "), (.get, "/a/x%2Fy/b", "GET /a/{id}/b x/y"),
        (.get, "http://h/a/1+2/b", "GET /a/{id}/b 1+2"), (.get, "/a/", "404"), (.get, "/a//b", "404"), (.get, "/A", "404"),
        (.delete, "/a", "501"), (.post, "/a", "405 GET, HEAD, OPTIONS, PUT"), (.get, "/c", "405 OPTIONS, POST"),
        (.options, "/a/1/b", "options GET, HEAD, OPTIONS"), (.options, "*", "options GET, HEAD, OPTIONS, POST, PUT"),
        (.options, "/none", "404"), (Method("get"), "/a", "501"), (.get, "/a/%00/b", "no target"), (.get, "/a/%ff/b", "no target"),
    ]) func `finds the route or says why not`(_ method: Method, _ target: String, _ expected: String) {
        #expect(outcome(method, target) == expected)
    }

    @Test func `reads a query with plus signs as they are`() {
        let query = RequestTarget("/x?build=1+2&lang=zh%2DHant&empty&e=&build=3")?.query
        #expect(query?["build"] == "1+2")
        #expect(query?["lang"] == "zh-Hant")
        #expect(query?["empty"] == "")
        #expect(query?.duplicates == ["build"])
    }
}
