import HTTP
import Testing

@testable import API

@Suite struct ConsoleTests {
    private static let page = """
        <script type="module" src="files/main.js"></script><link rel="icon" href="files/icon.svg"><main id="main"><form></form></main>
        """
    private static let module = String(repeating: "import { go } from \"./page/router.js\";\n", count: 40)

    private static func router(module: String = module) -> Router {
        let files = [("icon.svg", "<svg/>"), ("index.html", page), ("main.js", module), ("page/router.js", "export const go = 1;")]
        let codings: [(String, StaticString)] = [("br", "AQID"), ("gzip", "BAUG")]
        return router(
            Console(
                files.map { path, text in ConsoleFile(path: path, compressed: path == "main.js" ? codings : []) { Array(text.utf8) } },
                digest))
    }

    private static func router(_ console: Console) -> Router {
        Router(console.routes) { reason, _ in Response(reason == .notFound ? .notFound : .methodNotAllowed) }
    }

    /// Changes with every byte in these tests.
    @Sendable private static func digest(_ bytes: [UInt8]) -> String {
        String(bytes.reduce(UInt64(5381)) { ($0 &* 33) ^ UInt64($1) }, radix: 16)
    }

    private static func get(_ path: String, _ fields: Fields = [:], of router: Router = router()) throws -> Response {
        router.respond(to: try Request(.get, path, fields: fields))
    }

    /// The addresses in the page.
    private static func named(by response: Response) -> [String] {
        String(decoding: response.body, as: UTF8.self).matches(of: /(?:src|href)="([^"]+)"/).map { "/console/\($0.output.1)" }
    }

    @Test func `the page is asked for again each time, and what it names is kept for ever`() throws {
        let page = try Self.get("/console/")
        #expect(page.status == .ok && page.fields.first("Content-Type") == "text/html; charset=utf-8")
        #expect(page.fields.first("Cache-Control") == "no-cache")
        let named = Self.named(by: page)
        #expect(named.count == 2)
        for (path, type) in zip(named, ["text/javascript; charset=utf-8", "image/svg+xml"]) {
            let file = try Self.get(path)
            #expect(file.status == .ok && file.fields.first("Content-Type") == type, "\(path)")
            #expect(file.fields.first("Cache-Control") == "public, max-age=31536000, immutable")
        }
        // A relative import of main.js.
        #expect(try Self.get(named[0].replacing("main.js", with: "page/router.js")).body == Array("export const go = 1;".utf8))
    }

    @Test func `the page has the sign-in form, hidden from a browser that has a session`() throws {
        let form = try Self.get("/console/", ["Cookie": "theme=dark"])
        let session = "theme=dark; __Host-longpress=secret"
        let hidden = try Self.get("/console/", ["Cookie": session])
        #expect(String(decoding: form.body, as: UTF8.self).contains(#"<main id="main"><form>"#))
        #expect(String(decoding: hidden.body, as: UTF8.self).contains(#"<main hidden id="main"><form>"#))
        // The browser signed in or out meanwhile.
        let tags = try [form, hidden].map { try #require($0.fields.first("ETag")) }
        #expect(try Self.get("/console/", ["Cookie": session, "If-None-Match": tags[0]]).status == .ok)
        #expect(try Self.get("/console/", ["If-None-Match": tags[1]]).status == .ok)
        #expect(try Self.get("/console/", ["Cookie": session, "If-None-Match": tags[1]]).status == .notModified)
    }

    @Test func `a file that changes gives all of them new addresses, and nothing else does`() throws {
        let named = Self.named(by: try Self.get("/console/"))
        #expect(Self.named(by: try Self.get("/console/")) == named)
        let changed = Self.router(module: Self.module + "\n")
        #expect(Set(Self.named(by: try Self.get("/console/", of: changed))).isDisjoint(with: named))
        #expect(try Self.get(named[0], of: changed).status == .notFound)
    }

    @Test(arguments: ["/console/", "main.js", "icon.svg"])
    func `every answer has the rules for the browser, one from its cache too`(_ name: String) throws {
        let path = name == "/console/" ? name : try #require(Self.named(by: try Self.get("/console/")).first { $0.hasSuffix(name) })
        let whole = try Self.get(path)
        let tag = try #require(whole.fields.first("ETag"))
        let kept = try Self.get(path, ["If-None-Match": tag])
        #expect(kept.status == .notModified && kept.body.isEmpty && kept.fields.first("ETag") == tag)
        for response in [whole, kept] {
            #expect(
                response.fields.first("Content-Security-Policy")
                    == "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
                    + "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'")
            #expect(response.fields.first("Referrer-Policy") == "no-referrer")
            #expect(response.fields.first("Cross-Origin-Opener-Policy") == "same-origin")
            #expect(response.fields.first("Cross-Origin-Resource-Policy") == "same-origin")
            #expect(response.fields.first("Vary") == (name == "/console/" ? "Accept-Encoding, Cookie" : "Accept-Encoding"))
        }
    }

    @Test(
        arguments: [
            (nil, nil, nil), ("gzip, deflate, br, zstd", "br", [1, 2, 3]), ("gzip, deflate", "gzip", [4, 5, 6]),
            ("br;q=0.5, gzip;q=0.8", "gzip", [4, 5, 6]), ("br;q=0, *", "gzip", [4, 5, 6]), ("identity", nil, nil),
        ] as [(String?, String?, [UInt8]?)])
    func `the smallest content coding is chosen that the browser accepts`(_ accepted: String?, _ coding: String?, _ body: [UInt8]?) throws {
        let named = Self.named(by: try Self.get("/console/"))
        let fields: Fields = accepted.map { ["Accept-Encoding": $0] } ?? [:]
        let (plain, answer) = (try Self.get(named[0]), try Self.get(named[0], fields))
        #expect(answer.fields.first("Content-Encoding") == coding && answer.body == body ?? Array(Self.module.utf8))
        #expect((answer.fields.first("ETag") == plain.fields.first("ETag")) == (coding == nil))
        #expect(try Self.get(named[1], fields).fields.first("Content-Encoding") == nil)
    }

    @Test func `without its slash the address leads on, and what is not there is not found`() throws {
        let slash = try Self.get("/console")
        #expect(slash.status == .permanentRedirect && slash.fields.first("Location") == "console/")
        for path in ["/console/files/", "/console/index.html", "/console/files/main.js", "/console/../console/none"] {
            #expect(try Self.get(path).status == .notFound, "\(path)")
        }
        #expect(Self.router().respond(to: try Request(.post, "/console/")).status == .methodNotAllowed)
    }

    @Test func `one script and one style sheet are embedded, without a source map, and the page names them`() throws {
        #expect(EmbeddedFiles.all.map { $0.path.description } == ["console.css", "icon.svg", "index.html", "main.js"])
        #expect(EmbeddedFiles.all.allSatisfy { !$0.text.description.contains("sourceMappingURL") })
        let console = Self.router(Console(digest: Self.digest))
        let named = Self.named(by: try Self.get("/console/", of: console))
        #expect(Set(named).count == 3)
        for path in named {
            #expect(try Self.get(path, of: console).status == .ok, "\(path)")
        }
    }
}
