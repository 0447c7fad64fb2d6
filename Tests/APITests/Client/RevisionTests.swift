import HTTP
import QuickActions
import Shortcuts
import Testing

@testable import API

/// The client plane of one node among several: an event loop, a worker, and a store to which other nodes write.
private struct NodeBench {
    let store: SharedStore
    private let router: Router
    private let memory: LoopCache
    private let app: AppID

    init(_ freshness: Freshness = Freshness(isConfirmed: true)) throws {
        let store = SharedStore(freshness)
        let rendered = SharedCache(freshness: freshness)
        let routes = ClientRoutes(
            apps: store, taps: NoTaps(), reports: NoTaps(), policy: CachePolicy(), cache: rendered, clock: StoppedClock())
        store.observe { routes.refresh($0) }
        self.store = store
        router = Router(routes.routes, failure: unrouted)
        memory = LoopCache(of: rendered, for: routes)
        app = try #require(AppID("a.b"))
        try publish(1)
    }

    /// Publishes a menu on another node. Its title is the revision.
    func publish(_ revision: Int64) throws {
        let english = try #require(LanguageTag("en"))
        let json = try JSON(document: Array(#"{"items": [{"id": "a", "type": "t", "title": {"en": "\#(revision)"}}]}"#.utf8))
        let set = PublishedSet(
            version: try #require(AppVersion("1.0")), revision: revision, publishedAt: Timestamp(milliseconds: 0), by: "ci",
            set: try ShortcutSetDocument(json, defaultLanguage: english).checked())
        store.put(
            AppSnapshot(
                app: App(id: app, name: nil, defaultLanguage: english, fallbackURL: nil),
                timelines: [.default: Timeline(audience: .default, sets: [set])], releases: [], lastRevision: revision))
    }

    /// The answer of an event loop without a worker.
    /// - Parameter target: the path after the version.
    func loop(_ target: String = "shortcuts", of version: String = "1.0.0") throws -> String? {
        var parser = RequestParser()
        let bytes = Array("GET /v1/apps/a.b/versions/\(version)/\(target) HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        guard case .head = parser.parse(bytes.span) else { return nil }
        return memory.found(for: parser.head, bytes.span).map { title(Array($0.body)) }
    }

    /// The answer of a worker.
    func worker(_ target: String = "shortcuts", of version: String = "1.0.0", _ fields: Fields = [:]) throws -> Response {
        router.respond(to: try Request(.get, "/v1/apps/a.b/versions/\(version)/\(target)", fields: fields))
    }

    /// The answer to a client: the title of the menu's item, else the problem's code.
    func fetch(_ target: String = "shortcuts") throws -> String {
        if let answer = try loop(target) { return answer }
        let response = try worker(target)
        return response.problem ?? title(response.body)
    }

    func tap(_ query: String = "") throws -> Response {
        router.respond(
            to: try Request(
                .post, "/v1/apps/a.b/versions/1.0.0/taps\(query)", fields: ["Content-Type": "application/json"],
                body: Array(#"{"type": "t", "userInfo": {}}"#.utf8)))
    }

    private func title(_ body: [UInt8]) -> String {
        guard let json = try? JSON(document: body), case .array(let items)? = json["items"] else { return "no menu" }
        return items.first?["localizedTitle"]?.text ?? "no item"
    }
}

private struct StoppedClock: WallClock {
    func now() -> Timestamp { Timestamp(milliseconds: 1_800_000_000_000) }
}

@Suite struct RevisionTests {
    @Test func `a change reads the app once for all answers in use`() throws {
        let node = try NodeBench()
        let targets = ["shortcuts", "shortcuts?lang=en", "continuity", "bundle"]
        for _ in 0..<2 {
            for target in targets { _ = try node.fetch(target) }
        }
        let reads = node.store.asked.reads
        try node.publish(2)
        try node.store.catchUpCompletely()
        #expect(node.store.asked.reads == reads + 1)
        for target in targets { #expect(try node.loop(target) != nil) }
        #expect(try node.loop() == "2")
        #expect(node.store.asked.reads == reads + 1)
    }

    @Test func `an event loop completes a menu for a third version without a worker`() throws {
        let node = try NodeBench()
        _ = try node.worker(of: "1.0.1")
        #expect(try node.loop(of: "1.0.9") == nil)
        _ = try node.worker(of: "1.0.2")
        #expect(try node.loop(of: "1.0.9") == "1")
    }

    @Test(
        arguments: ["shortcuts", "continuity", "bundle", "taps"],
        ["", "-1", "x", "1.5", "%2B1", "1e3", "0x1", "%D9%A1", "1&revision=1"])
    func `what is no number of a revision is refused`(_ resource: String, _ revision: String) throws {
        let bench = try NodeBench()
        let query = "?revision=\(revision)"
        let response = try resource == "taps" ? bench.tap(query) : bench.worker(resource + query)
        #expect((response.status.code, response.problem) == (400, "invalid-parameter"))
        #expect(try bench.loop(resource + query) == nil)
    }

    @Test(arguments: ["shortcuts", "continuity", "bundle"], ["0", "1", "007", "99999999999999999999999"])
    func `is no part of what is answered`(_ resource: String, _ revision: String) throws {
        let bench = try NodeBench()
        let (plain, answer) = (try bench.worker(resource), try bench.worker("\(resource)?revision=\(revision)"))
        #expect(answer.status == .ok && answer.body == plain.body)
        #expect(answer.fields.map { "\($0.name): \($0.value)" } == plain.fields.map { "\($0.name): \($0.value)" })
        let etag = try #require(plain.fields.first("ETag"))
        #expect(try bench.worker("\(resource)?revision=\(revision)", ["If-None-Match": etag]).status == .notModified)
    }

    @Test func `a node that knows of less asks the store before it answers`() throws {
        let bench = try NodeBench()
        #expect(try bench.fetch() == "1")
        try bench.publish(2)
        #expect(try bench.fetch() == "1", "Nobody has told this node.")
        #expect(try bench.fetch("shortcuts?revision=2") == "2")
        #expect(try bench.fetch() == "2")
    }

    @Test func `a revision that is known is answered from memory, by the event loop`() throws {
        let bench = try NodeBench()
        for query in ["?revision=1", "?lang=en&revision=1", "?revision=1&x=2"] { #expect(try bench.fetch("shortcuts\(query)") == "1") }
        let asked = bench.store.asked
        for _ in 0..<5 {
            for query in ["", "?revision=0", "?revision=1", "?lang=en&revision=1", "?revision=1&x=2"] {
                #expect(try bench.loop("shortcuts\(query)") == "1")
            }
        }
        #expect(bench.store.asked == asked)
    }

    @Test func `one that nobody knows yet is answered with the newest, and asked for again`() throws {
        let bench = try NodeBench()
        for _ in 0..<4 {
            #expect(try bench.loop("shortcuts?revision=3") == nil)
            #expect(try bench.fetch("shortcuts?revision=3") == "1")
        }
        try bench.publish(2)
        #expect(try bench.fetch("shortcuts?revision=3") == "2")
        try bench.publish(3)
        #expect(try bench.fetch("shortcuts?revision=3") == "3")
        for _ in 0..<2 { #expect(try bench.fetch("shortcuts?revision=3") == "3") }
        #expect(try bench.loop("shortcuts?revision=3") == "3")
        try bench.publish(4)
        #expect(try bench.fetch("shortcuts?revision=4") == "4")
        #expect(try bench.loop("shortcuts?revision=3") != "3", "What was kept under the spelling ends with the generation.")
    }

    @Test func `asking for what nobody knows does not read the app each time`() throws {
        let bench = try NodeBench()
        _ = try bench.fetch()
        for number in 100..<140 { #expect(try bench.fetch("shortcuts?revision=\(number)") == "1") }
        #expect(bench.store.asked.catchUps == 40 && bench.store.asked.reads <= 3)
    }

    @Test func `without the store an answer is as new as it is asked for, or 503`() throws {
        let bench = try NodeBench()
        try bench.publish(5)
        for resource in ["shortcuts", "continuity", "bundle"] { _ = try bench.worker(resource) }
        bench.store.setAway(true)
        for resource in ["shortcuts", "continuity", "bundle"] {
            #expect(try bench.worker(resource).status == .ok)
            #expect(try bench.worker("\(resource)?revision=5").status == .ok)
            for _ in 0..<2 {
                let refused = try bench.worker("\(resource)?revision=6")
                #expect((refused.status.code, refused.problem) == (503, "storage-unavailable"))
                #expect(refused.fields.first("Retry-After") == "1")
                #expect(try bench.loop("\(resource)?revision=6") == nil)
            }
        }
        // Also for an answer that is not rendered yet.
        #expect(try bench.fetch("shortcuts?revision=5&audience=x&lang=de") == "5")
        #expect(try bench.fetch("shortcuts?revision=6&audience=x&lang=ko") == "storage-unavailable")
        #expect(try bench.tap("?revision=5").status == .ok && bench.tap().status == .ok)
        let refused = try bench.tap("?revision=6")
        #expect((refused.status.code, refused.problem) == (503, "storage-unavailable"))
        bench.store.setAway(false)
        #expect(try bench.fetch("shortcuts?revision=6") == "5" && bench.tap("?revision=6").status == .ok)
    }

    @Test func `a store that fails after the node caught up gives no older answer than asked for`() throws {
        let bench = try NodeBench()
        _ = try bench.fetch()
        try bench.publish(2)
        bench.store.setUnreadable(true)
        for resource in ["shortcuts", "continuity", "bundle"] {
            let refused = try bench.worker("\(resource)?revision=2")
            #expect((refused.status.code, refused.problem) == (503, "storage-unavailable"))
        }
        #expect(try bench.fetch() == "1")
        bench.store.setUnreadable(false)
        #expect(try bench.fetch("shortcuts?revision=2") == "2")
    }

    @Test func `where one process alone writes, every revision is known`() throws {
        let bench = try NodeBench(.permanent)
        #expect(try bench.fetch("shortcuts?revision=9") == "1")
        #expect(try bench.loop("shortcuts?revision=10") == "1")
        bench.store.setAway(true)
        #expect(try bench.fetch("shortcuts?revision=11") == "1" && bench.tap("?revision=11").status == .ok)
        #expect(bench.store.asked.catchUps == 0)
    }

    @Test func `while the store's freshness is not confirmed, a worker catches up before it answers from memory`() throws {
        let freshness = Freshness(isConfirmed: true)
        let bench = try NodeBench(freshness)
        #expect(try bench.fetch() == "1" && bench.loop() == "1")
        try bench.publish(2)
        #expect(try bench.loop() == "1" && bench.store.asked.catchUps == 0)
        freshness.set(false)
        #expect(try bench.loop() == nil)
        #expect(try bench.fetch() == "2" && bench.store.asked.catchUps == 1)
        freshness.set(true)
        #expect(try bench.loop() == "2" && bench.store.asked.catchUps == 1)
    }

    @Test func `where it cannot catch up, it answers from memory`() throws {
        let freshness = Freshness(isConfirmed: true)
        let bench = try NodeBench(freshness)
        #expect(try bench.fetch() == "1")
        try bench.publish(2)
        freshness.set(false)
        bench.store.setAway(true)
        let reads = bench.store.asked.reads
        #expect(try bench.fetch() == "1" && bench.fetch("continuity") == "no menu")
        #expect(try bench.fetch("shortcuts?lang=ko") == "1" && bench.tap().status == .ok)
        #expect(bench.store.asked.catchUps == 4 && bench.store.asked.reads == reads, "What is in memory is not read.")
        bench.store.setAway(false)
        #expect(try bench.fetch() == "2")
    }

    @Test func `that a version has no set is known as of a revision too`() throws {
        let bench = try NodeBench()
        #expect(try bench.worker("shortcuts?x=1").status == .ok)
        #expect(try bench.worker("shortcuts?revision=2", of: "0.9").problem == "no-shortcut-set")
        bench.store.setAway(true)
        for query in ["", "?revision=1", "?lang=ko&revision=1"] {
            #expect(try bench.worker("shortcuts\(query)", of: "0.9").problem == "no-shortcut-set")
        }
        #expect(try bench.worker("shortcuts?revision=2", of: "0.9").problem == "storage-unavailable")
    }
}
