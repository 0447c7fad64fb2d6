import HTTP
import QuickActions
import Shortcuts
import Testing

@testable import API

/// Signing in and out, and what a session may do.
@Suite struct SessionRouteTests {
    /// As in openapi.yaml.
    static let operations = ["getSignIn", "createSession", "getCurrentSession", "deleteCurrentSession"]

    private static let host = "127.0.0.1:8080"
    private static let here = ("Sec-Fetch-Site", "same-origin")

    private func signIn(
        _ bench: AdminBench, _ token: String?, _ host: String = host, cookie: String? = nil, from address: String = "192.0.2.1"
    ) throws -> Response {
        var fields: Fields = ["Host": host, "Sec-Fetch-Site": "same-origin"]
        if let cookie { fields.append("Cookie", cookie) }
        return try bench.ask(.post, "/sessions", #"{"token": "\#(token ?? "")"}"#, fields, from: address)
    }

    /// The cookie as a browser sends it.
    private func cookie(of response: Response) throws -> String {
        String(try #require(response.fields.first("Set-Cookie")?.split(separator: ";").first))
    }

    private func send(_ bench: AdminBench, _ method: HTTP.Method, _ path: String, _ body: String? = nil, by cookie: String) throws
        -> Response
    {
        try bench.ask(method, path, body, ["Host": Self.host, "Cookie": cookie, "Sec-Fetch-Site": "same-origin"])
    }

    @Test(arguments: Role.allCases) func `a token makes a session that says whose it is`(_ role: Role) throws {
        let bench = try AdminBench()
        let answer = try signIn(bench, bench.tokens[role])
        #expect(answer.status == .created)
        let expected = #"{"name":"\#(role)","owner":"\#(role)","role":"\#(role)","apps":null,"expiresAt":"2027-01-15T20:00:00Z"}"#
        #expect(String(decoding: answer.body, as: UTF8.self) == expected + "\n")
        let cookie = try cookie(of: answer)
        let current = try send(bench, .get, "/sessions/current", by: cookie)
        #expect(current.status == .ok)
        #expect(current.body == answer.body)
        #expect(try bench.audit().first == "\(role) session.created")
        #expect(try send(bench, .delete, "/sessions/current", by: cookie).status == .noContent)
        #expect(try bench.audit().first == "\(role) session.ended")
        #expect(try send(bench, .get, "/sessions/current", by: cookie).problem == "unauthenticated")
    }

    @Test(arguments: [
        ("127.0.0.1:8080", "longpress=", "; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict"),
        ("[::1]:8080", "longpress=", "; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict"),
        ("menus.example.com", "__Host-longpress=", "; Path=/; Max-Age=43200; Secure; HttpOnly; SameSite=Strict"),
    ]) func `the cookie is kept from scripts, from other sites and, but for loopback, from plain connections`(
        _ host: String, _ name: String, _ attributes: String
    ) throws {
        let bench = try AdminBench()
        let field = try #require(try signIn(bench, bench.tokens[.reader], host).fields.first("Set-Cookie"))
        #expect(field.hasPrefix(name) && field.hasSuffix(attributes))
        // base64url of 32 bytes.
        #expect(field.dropFirst(name.count).prefix { $0 != ";" }.count == 43)
    }

    @Test func `a stored token signs in five times a second, and another one all the same`() throws {
        let bench = try AdminBench()
        for _ in 0..<5 { #expect(try signIn(bench, bench.tokens[.reader]).status == .created) }
        let audit = try bench.audit()
        let answer = try signIn(bench, bench.tokens[.reader], from: "192.0.2.2")
        #expect(answer.problem == "too-many-requests")
        #expect(answer.fields.first("Retry-After") == "1")
        #expect(try bench.audit() == audit)
        #expect(try signIn(bench, bench.tokens[.editor]).status == .created)
        for _ in 0..<10 { #expect(try signIn(bench, "lp_first").status == .created) }
    }

    @Test func `a session can do what its token may, and no more`() throws {
        let bench = try AdminBench()
        for role in Role.allCases {
            let cookie = try cookie(of: try signIn(bench, bench.tokens[role]))
            let answer = try send(bench, .put, "/apps/{app}/sets/3.0/draft", #"{"items": []}"#, by: cookie)
            #expect((answer.status.code == 200) == (role >= .editor), "\(role)")
        }
        let foreign = try cookie(of: try signIn(bench, bench.foreignToken))
        #expect(try send(bench, .get, "/apps/{app}", by: foreign).problem == "forbidden")
        #expect(try bench.audit().first == "foreign session.created")
    }

    @Test func `a token that is revoked takes its sessions with it`() throws {
        let bench = try AdminBench()
        let cookie = try cookie(of: try signIn(bench, bench.foreignToken))
        #expect(try bench.ask(.delete, "/tokens/{token}", by: bench.tokens[.owner]).status == .noContent)
        #expect(try send(bench, .get, "/sessions/current", by: cookie).problem == "unauthenticated")
        #expect(try signIn(bench, bench.foreignToken).problem == "unauthenticated")
    }

    @Test func `whoever brings a cookie along gets another one, and the previous ends`() throws {
        let bench = try AdminBench()
        let planted = try cookie(of: try signIn(bench, bench.tokens[.reader]))
        let own = try cookie(of: try signIn(bench, bench.tokens[.owner], cookie: planted))
        #expect(own != planted)
        #expect(try send(bench, .get, "/sessions/current", by: planted).problem == "unauthenticated")
        let made = try cookie(of: try signIn(bench, bench.tokens[.owner], cookie: "longpress=made-up"))
        #expect(!made.contains("made-up"))
    }

    @Test func `a request with a token has no session`() throws {
        let bench = try AdminBench()
        for method in [HTTP.Method.get, .delete] {
            #expect(try bench.ask(method, "/sessions/current", by: bench.tokens[.owner]).problem == "unknown-resource")
            #expect(try bench.ask(method, "/sessions/current", by: nil).problem == "unauthenticated")
        }
    }

    /// The field in which the browser says which page sends the request, and whether that is our page.
    @Test(
        arguments: [
            (["Sec-Fetch-Site": "same-origin"], true), (["Sec-Fetch-Site": "same-site"], false), (["Sec-Fetch-Site": "cross-site"], false),
            (["Sec-Fetch-Site": "none"], false), (["Sec-Fetch-Site": ""], false), ([:], false),
            (["Origin": "http://127.0.0.1:8080"], true), (["Origin": "https://127.0.0.1:8080"], true),
            (["Origin": "http://127.0.0.1:8081"], false), (["Origin": "http://evil.example"], false), (["Origin": "null"], false),
            (["Origin": "http://127.0.0.1:8080.evil.example"], false), (["Origin": "file://127.0.0.1:8080"], false),
            (["Sec-Fetch-Site": "cross-site", "Origin": "http://127.0.0.1:8080"], false),
        ] as [([String: String], Bool)])
    func `only our own page may sign in, or change something with a session`(_ sent: [String: String], _ isOurs: Bool) throws {
        let bench = try AdminBench()
        let cookie = try cookie(of: try signIn(bench, bench.tokens[.owner]))
        var fields: Fields = ["Host": Self.host]
        for (name, value) in sent { fields.append(name, value) }
        let entry = try bench.ask(.post, "/sessions", #"{"token": "\#(bench.tokens[.owner] ?? "")"}"#, fields)
        #expect((entry.status.code, entry.problem) == (isOurs ? (201, nil) : (403, "cross-site")))
        #expect((entry.fields.first("Set-Cookie") != nil) == isOurs)
        fields.append("Cookie", cookie)
        for operation in AdminOperation.all where operation.method != .get && !isOurs {
            let answer = try bench.ask(operation.method, operation.path, operation.body, fields)
            #expect((answer.status.code, answer.problem) == (403, "cross-site"), "\(operation.name)")
        }
        #expect(try bench.ask(.put, "/apps/{app}/sets/3.0/draft", #"{"items": []}"#, fields).status.code == (isOurs ? 200 : 403))
        // No other page can read the answer, and a link from another site comes without the cookie.
        #expect(try bench.ask(.get, "/apps/{app}", nil, fields).status == .ok)
    }

    @Test(arguments: [
        (#"{"token": 5}"#, "invalid-document"), (#"{}"#, "invalid-document"), (#"{"token": "a", "name": "b"}"#, "invalid-document"),
        ("{", "malformed-json"), (#"{"token": "lp_wrong"}"#, "unauthenticated"),
    ]) func `what is no sign-in makes no session, and quotes no secret`(_ body: String, _ problem: String) throws {
        let bench = try AdminBench()
        let answer = try bench.ask(.post, "/sessions", body, ["Host": Self.host, "Sec-Fetch-Site": "same-origin"])
        #expect(answer.problem == problem && answer.fields.first("Set-Cookie") == nil)
        #expect(!String(decoding: answer.body, as: UTF8.self).contains("lp_wrong"))
        #expect(answer.refusal?.detail.contains("lp_wrong") != true)
    }

    /// The trusted proxy's field for the client's connection decides, not the host's name.
    @Test(arguments: [("127.0.0.1:8080", true), ("menus.example.com", false)])
    func `the cookie is Secure where the client has TLS`(_ host: String, _ isEncrypted: Bool) throws {
        let bench = try AdminBench()
        let fields: Fields = ["Host": host, "Sec-Fetch-Site": "same-origin"]
        let token = bench.tokens[.reader] ?? ""
        let answer = try bench.ask(.post, "/sessions", #"{"token": "\#(token)"}"#, fields, isEncrypted: isEncrypted)
        let cookie = try #require(answer.fields.first("Set-Cookie"))
        #expect(cookie.contains("; Secure") == isEncrypted && cookie.hasPrefix("__Host-") == isEncrypted)
        var again: Fields = ["Host": host]
        again.append("Cookie", try self.cookie(of: answer))
        #expect(try bench.ask(.get, "/sessions/current", nil, again, isEncrypted: isEncrypted).status == .ok)
    }

    @Test func `the eleventh wrong token in a minute waits; a right one signs in, and nobody else waits`() throws {
        let bench = try AdminBench()
        let cookie = try cookie(of: try signIn(bench, bench.tokens[.owner]))
        for _ in 0..<10 { #expect(try signIn(bench, "lp_wrong").problem == "unauthenticated") }
        let refused = try signIn(bench, "lp_wrong")
        #expect((refused.status.code, refused.problem, refused.fields.first("Retry-After")) == (429, "too-many-requests", "60"))
        #expect(try send(bench, .get, "/sessions/current", by: cookie).status == .ok)
        #expect(try bench.ask(.get, "/apps", by: bench.tokens[.owner]).status == .ok)
        #expect(try signIn(bench, bench.tokens[.owner]).status == .created)
        #expect(try signIn(bench, "lp_wrong").status.code == 429)
        #expect(try signIn(bench, "lp_wrong", from: "192.0.2.2").status.code == 401)
    }
}
