import HTTP
import QuickActions
import Shortcuts
import Testing

@testable import API

/// Fetches with a preview link: `?preview=` and its token.
@Suite struct PreviewFetchTests {
    private let bench: AdminBench
    private static let draft = #"{"items": [{"id": "new", "type": "t", "title": {"en": "Draft"}, "url": "notes://new"}]}"#

    init() throws {
        bench = try AdminBench()
        try expect(.put, "/apps/{app}/sets/2.0/draft", Self.draft)
    }

    private func expect(_ method: HTTP.Method, _ path: String, _ body: String? = nil) throws {
        let response = try bench.ask(method, path, body, by: "lp_first")
        try #require((200..<300).contains(response.status.code), "\(String(decoding: response.body, as: UTF8.self))")
    }

    private struct Link {
        let id: String
        let token: String
        let json: JSON
    }

    private func link(_ body: String = "{}", by token: String? = nil) throws -> Link {
        let response = try bench.ask(.post, "/apps/{app}/previews", body, by: token ?? bench.tokens[.editor])
        #expect(response.status == .created, "\(String(decoding: response.body, as: UTF8.self))")
        let json = try JSON(document: response.body)
        return Link(id: try #require(json["id"]?.text), token: try #require(json["token"]?.text), json: json)
    }

    private func fetch(_ link: Link, _ version: String = "2.5", _ query: String = "", _ fields: Fields = [:]) throws -> Response {
        var fields = fields
        fields.append("Authorization", "Bearer \(link.token)")
        let response = try bench.fetch("/apps/{app}/versions/\(version)/shortcuts?preview=\(link.id)\(query)", fields)
        #expect(response.fields.all("Cache-Control") == ["private, no-store"])
        return response
    }

    private func ids(_ response: Response) throws -> [String] {
        guard case .array(let items)? = try JSON(document: response.body)["items"] else { return [] }
        return items.compactMap { $0["userInfo"]?["longpress.item"]?.text }
    }

    private func shown(_ response: Response) throws -> String {
        try "\(response.fields.first("Longpress-Preview") ?? "") \(ids(response).joined(separator: " "))"
    }

    @Test func `the answer has the token and a link with the app's scheme, once`() throws {
        let link = try link(#"{"version": "2.0", "audience": "member", "expiresIn": "90m"}"#)
        #expect(link.json["link"]?.text == "notes://longpress-preview?id=\(link.id)&token=\(link.token)")
        #expect(link.json["expiresAt"]?.text == "2027-01-15T09:30:00.000Z")
        #expect(link.token.hasPrefix("lpv_") && link.token.count == 47)
        for path in ["/apps/{app}/previews", "/apps/{app}/previews/\(link.id)", "/audit"] {
            let body = String(decoding: try bench.ask(.get, path, by: "lp_first").body, as: UTF8.self)
            #expect(body.contains(link.id) && !body.contains(link.token) && !body.contains("lpv_"))
        }
    }

    @Test func `an app without a scheme in its newest release gets no link`() throws {
        for (schemes, link) in [("[]", nil), (#"["https", "a b", "fb1", "notes"]"#, "fb1")] as [(String, String?)] {
            try expect(.put, "/apps/{app}/releases/5.0", #"{"staticItems": [], "urlSchemes": \#(schemes)}"#)
            let scheme = try self.link().json["link"]?.text.map { String($0.prefix { $0 != ":" }) }
            #expect(scheme == link)
        }
    }

    @Test func `all violations are reported together`() throws {
        let response = try bench.ask(
            .post, "/apps/{app}/previews", #"{"version": "x", "audience": "A b", "expiresIn": "8d", "more": 1}"#, by: "lp_first")
        #expect(response.problem == "invalid-document")
        guard case .array(let violations)? = try JSON(document: response.body)["violations"] else { return }
        #expect(violations.compactMap { $0["path"]?.text }.sorted() == ["audience", "expiresIn", "more", "version"])
    }

    @Test(arguments: [("0s", "duration-invalid"), ("-1h", "duration-invalid"), ("169h", "duration-too-long"), ("24", "duration-invalid")])
    func `a life is above zero and at most seven days`(_ life: String, _ code: String) throws {
        let response = try bench.ask(.post, "/apps/{app}/previews", #"{"expiresIn": "\#(life)"}"#, by: "lp_first")
        #expect(String(decoding: response.body, as: UTF8.self).contains(code))
        _ = try link(#"{"expiresIn": "168h"}"#)
    }

    @Test func `a preview shows what a publish would serve, with revision 0, and later the live menu`() throws {
        let link = try link()
        let preview = try fetch(link)
        #expect(try shown(preview) == "draft new")
        try expect(.post, "/apps/{app}/sets/2.0/publish")
        let live = try fetch(link)
        #expect(try shown(live) == "live new")
        let revision = try #require(try JSON(document: live.body)["revision"]).encoded
        func text(_ response: Response) -> String { String(decoding: response.body, as: UTF8.self) }
        func numbered(_ number: String, _ text: String) -> String {
            text.replacing(#""revision":\#(number)"#, with: #""revision":N"#)
                .replacing(#""longpress.revision":\#(number)"#, with: #""longpress.revision":N"#)
        }
        #expect(numbered("0", text(preview)) == numbered(String(decoding: revision, as: UTF8.self), text(live)))
        let open = try bench.fetch("/apps/{app}/versions/2.5/shortcuts")
        #expect(open.body == live.body && open.fields.first("ETag") == live.fields.first("ETag"))
        #expect(preview.fields.first("ETag") != live.fields.first("ETag"))
    }

    @Test func `a link shows the drafts of its version and audience only`() throws {
        try expect(.put, "/apps/{app}/sets/1.0/draft", Self.draft.replacing("new", with: "one"))
        try expect(.put, "/apps/{app}/sets/2.0/draft?audience=member", Self.draft.replacing("new", with: "club"))
        for (body, version, audience, expected) in [
            ("{}", "2.5", "default", "draft new"), ("{}", "1.5", "default", "draft one"), ("{}", "2.5", "member", "draft club"),
            ("{}", "1.5", "member", "draft one"), ("{}", "2.5", "other", "draft new"),
            (#"{"version": "2.0"}"#, "2.5", "default", "draft new"), (#"{"version": "2.0"}"#, "1.5", "default", "live compose"),
            (#"{"version": "1.0"}"#, "2.5", "default", "live compose"), (#"{"version": "1.0"}"#, "1.5", "default", "draft one"),
            (#"{"version": "1.5"}"#, "1.5", "default", "live compose"), (#"{"audience": "default"}"#, "2.5", "member", "draft new"),
            (#"{"audience": "member"}"#, "2.5", "member", "draft club"), (#"{"audience": "member"}"#, "2.5", "default", "live compose"),
            (#"{"version": "2.0", "audience": "member"}"#, "2.0", "member", "draft club"),
        ] {
            let response = try fetch(try link(body), version, "&audience=\(audience)")
            #expect(try shown(response) == expected, "\(body) \(version) \(audience)")
            try expect(.delete, "/apps/{app}/previews/\(try lastID())")
        }
    }

    private func lastID() throws -> String {
        guard case .array(let items)? = try JSON(document: bench.ask(.get, "/apps/{app}/previews", by: "lp_first").body)["items"] else {
            return ""
        }
        return items.last?["id"]?.text ?? ""
    }

    @Test func `nothing of a preview reaches those without it`() throws {
        let path = "/apps/{app}/versions/2.5/shortcuts"
        let before = try bench.fetch(path)
        let link = try link()
        for _ in 1...3 {
            #expect(try shown(fetch(link)) == "draft new")
            let open = try bench.fetch(path)
            #expect(open.body == before.body && open.fields.first("ETag") == before.fields.first("ETag"))
            #expect(open.fields.first("Longpress-Preview") == nil && open.fields.first("Cache-Control")?.hasPrefix("public") == true)
        }
        let other = try bench.fetch("/apps/{app}/versions/2.5/bundle?preview=\(link.id)", ["Authorization": "Bearer \(link.token)"])
        #expect(!String(decoding: other.body, as: UTF8.self).contains("Draft"))
    }

    @Test func `an unchanged preview is 304`() throws {
        let link = try link()
        let tag = try #require(try fetch(link).fields.first("ETag"))
        let again = try fetch(link, "2.5", "", ["If-None-Match": tag])
        #expect((again.status, again.body.count, again.fields.first("Longpress-Preview")) == (.notModified, 0, "draft"))
        try expect(.patch, "/apps/{app}/sets/2.0/draft/items/new", #"{"title": {"en": "Draft 2"}}"#)
        #expect(try fetch(link, "2.5", "", ["If-None-Match": tag]).status == .ok)
    }

    @Test func `languages, formats and notices are those of a fetch`() throws {
        let link = try link()
        let list = try fetch(link, "2.5", "&language=en", ["Accept": "application/x-plist", "Accept-Language": "ko"])
        #expect((list.fields.first("Content-Type"), list.fields.first("Content-Language")) == ("application/x-plist", "en"))
        #expect(list.fields.first("Longpress-Notice") != nil && String(decoding: list.body, as: UTF8.self).contains("<string>Draft"))
        #expect(try fetch(link).fields.first("Longpress-Notice") == nil)
        #expect(try fetch(link, "2.5", "&lang=x_").problem == "invalid-parameter")
        #expect(try fetch(link, "x").problem == "invalid-version")
        let none = try fetch(link, "0.5")
        #expect((none.problem, none.fields.first("Longpress-Preview")) == ("no-shortcut-set", "live"))
    }

    @Test func `a link that is wrong, deleted or without its creator is one and the same 404`() throws {
        let (link, other) = (try link(), try self.link())
        func refused(_ id: String, _ fields: Fields, _ app: String = "{app}") throws -> String? {
            let response = try bench.fetch("/apps/\(app)/versions/2.5/shortcuts?preview=\(id)", fields)
            #expect(response.fields.all("Cache-Control") == ["private, no-store"])
            #expect(response.fields.first("Longpress-Preview") == nil)
            let text = String(decoding: response.body, as: UTF8.self) + (response.refusal?.cause ?? "")
            #expect(!text.contains(link.token) && !text.contains(other.token))
            return response.problem
        }
        let right: Fields = ["Authorization": "Bearer \(link.token)"]
        for fields in [
            [:], ["Authorization": "Basic \(link.token)"], ["Authorization": "Bearer "], ["Authorization": "Bearer \(other.token)"],
            ["Authorization": "Bearer lp_first"], ["Authorization": "Bearer \(link.token)x"], ["Authorization": "\(link.token)"],
            ["Authorization": "Bearer \(link.token)", "authorization": "Bearer \(link.token)"],
        ] as [Fields] {
            #expect(try refused(link.id, fields) == "unknown-preview", "\(fields)")
        }
        let long = String(repeating: "a", count: 5000)
        for id in ["", "x", other.id, link.token, long, "%F0%9F%98%80", "'--", "\(link.id)%20"] {
            #expect(try refused(id, right) == "unknown-preview", "\(id.prefix(20))")
        }
        #expect(try refused("\(link.id)&preview=\(link.id)", right) == "invalid-parameter")
        #expect(try refused(link.id, right, "com.example.none") == "unknown-app")
        try expect(.put, "/apps/com.example.other", #"{"defaultLanguage": "en"}"#)
        #expect(try refused(link.id, right, "com.example.other") == "unknown-preview")
        try expect(.delete, "/apps/{app}/previews/\(link.id)")
        #expect(try refused(link.id, right) == "unknown-preview")
        let made = try JSON(
            document: bench.ask(
                .post, "/tokens", #"{"name": "short", "role": "editor", "expiresAt": "2027-01-15T09:00:00Z"}"#, by: "lp_first"
            ).body)
        let short = try self.link(#"{"expiresIn": "48h"}"#, by: made["token"]?.text)
        #expect(short.json["expiresAt"]?.text == "2027-01-15T09:00:00.000Z")
        #expect(try fetch(short).status == .ok)
        try expect(.delete, "/tokens/\(made["id"]?.text ?? "")")
        #expect(try fetch(short).problem == "unknown-preview")
    }

    @Test func `a link of the configured token ends when another is configured`() throws {
        let link = try link(by: "lp_first")
        #expect(try fetch(link).status == .ok)
        bench.authenticator.configure(token: "lp_second", proxySignIn: nil)
        #expect(try fetch(link).problem == "unknown-preview")
    }

    @Test func `a tap on an item of a draft is resolved and not counted`() throws {
        let link = try link()
        guard case .array(let items)? = try JSON(document: fetch(link).body)["items"], let info = items.first?["userInfo"] else { return }
        func tap() throws -> JSON {
            let body = #"{"type": "t", "userInfo": \#(String(decoding: info.encoded, as: UTF8.self))}"#
            return try JSON(document: bench.post("/apps/{app}/versions/2.5/taps", body).body)
        }
        #expect(try tap()["outcome"]?.text == "removed")
        try expect(.post, "/apps/{app}/sets/2.0/publish")
        let landed = try tap()
        #expect(landed["outcome"]?.text == "equivalent" && landed["item"]?["localizedTitle"]?.text == "Draft")
        #expect(bench.tapCount == 0)
        let body = #"""
            {"batch": "7b0c3d52-3d0f-4b7e-9a55-0d8b7a9a2f10", "counts": [{"item": "new", "type": "t", "outcome": "current", "count": 3,
            "registeredBy": {"version": "2.5", "revision": 0}}]}
            """#
        #expect(try bench.post("/apps/{app}/versions/2.5/taps/counts", body).status == .accepted)
        let statistics = try JSON(document: bench.ask(.get, "/apps/{app}/taps", by: "lp_first").body)
        guard case .array(let counted)? = statistics["items"] else { return }
        #expect(counted.isEmpty)
    }
}
