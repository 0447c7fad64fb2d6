import Testing

@testable import HTTP

@Suite struct RouterTests {
    private let router: Router = {
        let say = { @Sendable (name: String) in
            { @Sendable (_: Request, parameters: PathParameters) in
                Response(.ok, body: Array("\(name) \(parameters["app"]) \(parameters["version"])".utf8))
            }
        }
        return Router([
            Route(.get, "/", name: "root", handler: say("root")),
            Route(.get, "/v1/apps/{app}/versions/{version}/shortcuts", name: "getShortcuts", handler: say("getShortcuts")),
            Route(.post, "/v1/apps/{app}/versions/{version}/taps", name: "tap", bodyLimit: 10, runs: .onLoop, handler: say("tap")),
            Route(.get, "/v1/apps/{app}/special", name: "special", handler: say("special")),
            Route(.put, "/v1/apps/mine/{version}", name: "mine", handler: say("mine")),
            Route(.delete, "/v1/apps/{app}/{version}", name: "delete", handler: say("delete")),
        ]) { failure, _ in
            switch failure {
            case .notFound: Response(.notFound)
            case .methodNotAllowed: Response(.methodNotAllowed)
            case .notImplemented: Response(.notImplemented)
            }
        }
    }()

    private func answer(_ method: Method, _ target: String) throws -> (status: Int, body: String, allow: String?) {
        let response = router.respond(to: try Request(method, target))
        return (response.status.code, String(decoding: response.body, as: UTF8.self), response.fields.first("allow"))
    }

    @Test(arguments: [
        (Method.get, "/", "root  "), (.get, "/v1/apps/a.b/versions/2.1/shortcuts?x=1", "getShortcuts a.b 2.1"),
        (.head, "/v1/apps/a/versions/2/shortcuts", "getShortcuts a 2"), (.post, "/v1/apps/a/versions/2/taps", "tap a 2"),
        (.get, "/v1/apps/a%2Fb/special", "special a/b "), (.get, "/%76%31/apps/x/special", "special x "),
        (.put, "/v1/apps/mine/3", "mine  3"), (.delete, "/v1/apps/mine/3", "delete mine 3"),
        (.get, "http://h/v1/apps/x/special", "special x "),
    ])
    func `finds`(_ method: Method, _ target: String, _ body: String) throws {
        #expect(try answer(method, target).body == body)
    }

    @Test(arguments: [
        "/v1", "/v1/apps//versions/1/shortcuts", "/v1/apps/a/versions//shortcuts", "/v1/apps/a/versions/1/shortcuts/", "//",
        "/v1/apps/a/b/versions/1/shortcuts", "/V1/apps/a/special",
    ])
    func `finds nothing`(_ target: String) throws { #expect(try answer(.get, target).status == 404) }

    @Test(arguments: [
        (Method.put, "/v1/apps/a/versions/2/shortcuts", "GET, HEAD, OPTIONS"), (.get, "/v1/apps/a/versions/2/taps", "OPTIONS, POST"),
        (.post, "/v1/apps/mine/3", "DELETE, OPTIONS, PUT"),
    ])
    func `lists the allowed methods`(_ method: Method, _ target: String, _ allow: String) throws {
        let (status, _, allowed) = try answer(method, target)
        #expect(status == 405)
        #expect(allowed == allow)
        let options = try answer(.options, target)
        #expect(options.status == 204 && options.allow == allow)
    }

    @Test func `answers 501 to methods that no route has`() throws {
        #expect(try answer(.trace, "/v1/apps/a/versions/2/taps").status == 405)
        #expect(try answer(.query, "/v1/apps/a/versions/2/taps").status == 405)
        #expect(try answer(Method(rawValue: "BREW"), "/").status == 501)
        #expect(try answer(Method(rawValue: "get"), "/").status == 501)
        #expect(try answer(.options, "*").allow == "DELETE, GET, HEAD, OPTIONS, POST, PUT")
        #expect(try answer(.options, "/nowhere").status == 404)
    }

    @Test func `decides on body and place`() throws {
        let decision = router.route(try Request(.post, "/v1/apps/a/versions/2/taps"))
        guard case .upTo(10) = decision.body, decision.runs == .onLoop, decision.name == "tap" else {
            Issue.record("\(decision)")
            return
        }
        #expect(router.routes.map(\.name).count == 6)
    }

    @Test func `decodes a query`() throws {
        let request = try Request(.get, "/?a=1+1&b=%E2%82%AC&a=&c&&=d&e=f=g")
        #expect(request.query.items.map { "\($0.name)=\($0.value)" } == ["a=1 1", "b=€", "a=", "c=", "=d", "e=f=g"])
        #expect(request.query.duplicates == ["a"])
        #expect(request.query["b"] == "€" && request.query.all("a") == ["1 1", ""] && request.query["x"] == nil)
        #expect(request.path == [] && request.rawPath == "/")
        #expect(try Request(.get, "/a+b/%20").path == ["a+b", " "])
        #expect(throws: RequestFailure.self) { try Request(.get, "/?a=%F0") }
    }
}
