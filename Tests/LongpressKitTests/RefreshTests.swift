import Foundation
import Shortcuts
import Synchronization
import Testing

@testable import LongpressKit

@Suite struct RefreshTests {
    @Test func `asks for the menu and its bundle, and again only when it is no longer fresh`() async throws {
        let transport = ScriptedTransport(DomainService(snapshot: try notes()))
        let bench = try Bench(transport, languages: ["ko-KR", "en"])
        let client = bench.client()
        #expect(await client.menu == nil)
        guard case .changed(let menu) = try await client.refresh() else { throw LongpressError.cancelled }
        #expect(await client.menu == menu)
        #expect((menu.app, menu.version, menu.audience, menu.language, menu.revision) == (appID, "2.0.0", "default", "ko", 2))
        #expect(menu.items.map(\.title) == ["새 메모", "New"] && menu.items.map(\.id) == ["compose", "new"])
        #expect(transport.asked == ["shortcuts", "bundle"])
        #expect(transport.requests[0].url.absoluteString == "https://actions.example.com/quick/v1/apps/\(appID)/versions/2.0.0/shortcuts")
        #expect(transport.requests[0].headers["Accept-Language"] == "ko-KR, en;q=0.9")
        #expect(transport.requests.map(\.limit) == [1 << 20, 16 << 20])

        bench.clock.advance(59)
        #expect(try await client.refresh() == .unchanged && transport.requests.count == 2)
        bench.clock.advance(2)
        #expect(try await client.refresh() == .unchanged)
        #expect(transport.asked == ["shortcuts", "bundle", "shortcuts"] && transport.requests[2].headers["If-None-Match"] != nil)

        // The next launch has all of it stored.
        let next = bench.client()
        #expect(await next.menu == menu)
        #expect(try await next.refresh() == .unchanged && transport.requests.count == 3)
    }

    @Test func `user info is told as a property list has it`() async throws {
        let client = try Bench(ScriptedTransport(DomainService(snapshot: try notes()))).client()
        guard case .changed(let menu) = try await client.refresh() else { throw LongpressError.cancelled }
        let item = try #require(menu.items.first)
        let own = item.userInfo.filter { !$0.key.hasPrefix("longpress.") }
        #expect(
            own == [
                "n": .integer(1), "r": .real(1), "b": .boolean(true), "when": .date(Date(timeIntervalSince1970: 1_769_850_000)),
                "key": .data(Data([0, 1, 2])), "list": .array([.string("a"), .dictionary(["k": .integer(2)])]),
            ])
        #expect(item.url?.absoluteString == "notes://compose" && item.isVisible)
        #expect(item.icon == .init(systemImageName: "square.and.pencil", type: "compose"))
        #expect(item.userInfo["longpress.version"] == .string("2.0.0") && item.userInfo["longpress.schema"] == .integer(1))
    }

    @Test func `a build and an audience are asked with`() async throws {
        let transport = ScriptedTransport(DomainService(snapshot: try notes()))
        var bench = try Bench(transport)
        bench.configuration.build = "512"
        bench.configuration.audience = "member"
        let client = bench.client()
        guard case .changed(let menu) = try await client.refresh() else { throw LongpressError.cancelled }
        #expect(menu.audience == "member" && menu.items[0].userInfo["longpress.version"] == .string("2.0.0+512"))
        #expect(transport.requests.map(\.url.query) == ["audience=member&build=512", "audience=member&build=512"])
        // A build that the service could not parse is not sent.
        bench.configuration.build = "1.0b3"
        _ = try await bench.client().refresh()
        #expect(transport.requests.last?.url.query == "audience=member")
    }

    @Test func `ten well-formed languages are asked for, in their order`() async throws {
        let languages = ["ko-KR", "not a language", "zh_Hant_TW", "en", "de", "fr", "it", "es", "pt", "ja", "nl", "sv", "da"]
        let transport = ScriptedTransport(DomainService(snapshot: try notes()))
        _ = try await Bench(transport, languages: languages).client().refresh()
        #expect(
            transport.requests[0].headers["Accept-Language"]
                == "ko-KR, zh-Hant-TW;q=0.9, en;q=0.8, de;q=0.7, fr;q=0.6, it;q=0.5, es;q=0.4, pt;q=0.3, ja;q=0.2, nl;q=0.1")
    }

    @Test func `a version without a set keeps what is registered`() async throws {
        let transport = ScriptedTransport(DomainService(snapshot: try notes()))
        let bench = try Bench(transport, version: "0.9")
        let client = bench.client()
        #expect(try await client.refresh() == .keep)
        bench.clock.advance(30)
        #expect(try await client.refresh() == .keep && transport.requests.count == 1)
        bench.clock.advance(31)
        #expect(try await client.refresh() == .keep && transport.requests.count == 2)
        transport.answer(404, #"{"type":"/problems/unknown-app"}"#)
        bench.clock.advance(61)
        #expect(await error { try await client.refresh() } == .status(404))
    }

    @Test func `a hundred at once make one request`() async throws {
        let service = DomainService(snapshot: try notes())
        let open = Mutex(false)
        let transport = ScriptedTransport { request in
            while !open.withLock({ $0 }) { await Task.yield() }
            return service.answer(request)
        }
        let client = try Bench(transport).client()
        let results = try await withThrowingTaskGroup(of: MenuUpdate.self) { group in
            for _ in 0..<100 { group.addTask { try await client.refresh() } }
            while await client.waiting.count < 100 { await Task.yield() }
            open.withLock { $0 = true }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let menu = try #require(await client.menu)
        #expect(transport.asked == ["shortcuts", "bundle"] && results == Array(repeating: .changed(menu), count: 100))
    }

    @Test func `who is cancelled leaves the others their answer`() async throws {
        let service = DomainService(snapshot: try notes())
        let open = Mutex(false)
        let client = try Bench(
            ScriptedTransport { request in
                while !open.withLock({ $0 }) { await Task.yield() }
                return service.answer(request)
            }
        ).client()
        let (one, other) = (Task { await error { try await client.refresh() } }, Task { try await client.refresh() })
        while await client.waiting.count < 2 { await Task.yield() }
        one.cancel()
        #expect(await one.value == .cancelled)
        open.withLock { $0 = true }
        #expect(try await other.value != .unchanged)
    }

    @Test(arguments: [
        (200, "<html><body>Welcome to our hotel</body></html>", LongpressError.invalidResponse("it is not JSON")),
        (200, "", .invalidResponse("it is not JSON")), (204, "", .status(204)),
        (200, "{\"app\":\"com.example.no", .invalidResponse("it is not JSON")), (302, "", .status(302)), (401, "{}", .status(401)),
        (500, "oops", .status(500)),
        (503, "", .status(503)), (304, "", .status(304)), (200, "[]", .invalidResponse(#""app" is missing or not an app id"#)),
        (200, "{}", .invalidResponse(#""app" is missing or not an app id"#)),
        (200, "null", .invalidResponse(#""app" is missing or not an app id"#)),
        (404, "<html>", .status(404)), (200, #"{"schema":2}"#, .unsupportedSchema(2)),
    ])
    func `refuses what is no menu, and what is known stays`(_ status: Int, _ body: String, _ expected: LongpressError) async throws {
        let transport = ScriptedTransport(DomainService(snapshot: try notes(), cacheControl: "no-cache"))
        let bench = try Bench(transport)
        _ = try await bench.client().refresh()
        let files = bench.storage.files.withLock { $0 }
        // An answer that must not be reused is never fresh.
        let client = bench.client()
        let menu = await client.menu
        // An answer to another request is not a validator.
        let etagged = ScriptedTransport { request in
            #expect(request.headers["If-None-Match"] != nil)
            return LongpressResponse(status: status == 304 ? 299 : status, headers: [:], body: Data(body.utf8))
        }
        let odd = LongpressClient(
            bench.configuration, bundled: nil, storage: bench.storage, transport: etagged, environment: bench.clock.environment)
        #expect(await error { try await odd.refresh() } == (status == 304 ? .status(299) : expected))
        #expect(menu != nil)
        #expect(await odd.menu == menu)
        #expect(bench.storage.files.withLock { $0 } == files)
        // The same without stored data.
        transport.answer(status, body)
        var fresh = bench
        fresh.storage = MemoryStorage()
        let empty = fresh.client()
        #expect(await error { try await empty.refresh() } == expected)
    }

    @Test func `never takes the menu of another app, version or audience, nor of another schema`() async throws {
        let service = DomainService(snapshot: try notes())
        let bench = try Bench(ScriptedTransport(service))
        let url = try #require(URL(string: "https://a/v1/apps/\(appID)/versions/2.0/shortcuts"))
        let answer = service.answer(LongpressRequest(method: "GET", url: url, headers: [:], body: nil, limit: 0))
        let sound = String(decoding: answer.body, as: UTF8.self)
        for (from, to, expected) in [
            (appID, "com.example.other", LongpressError.wrongMenu(app: "com.example.other", version: "2.0.0")),
            (#""version":"2.0.0""#, #""version":"2.0.1""#, .wrongMenu(app: appID, version: "2.0.1")),
            (#""audience":"default""#, #""audience":"member""#, .invalidResponse("it is for the audience member")),
            (#""longpress.schema":1"#, #""longpress.schema":2"#, .unsupportedSchema(2)),
            (#""longpress.item":"new""#, #""longpress.item":7"#, .invalidResponse("an item has no version tag")),
            (#""n":1"#, #""n":null"#, .invalidResponse(#"the userInfo of "compose" is not a property list"#)),
            (#""$date":"2026"#, #""$date":"26"#, .invalidResponse(#"the userInfo of "compose" is not a property list"#)),
        ] {
            #expect(sound.contains(from))
            bench.transport.answer(200, sound.replacingOccurrences(of: from, with: to))
            let client = bench.client()
            #expect(await error { try await client.refresh() } == expected)
            #expect(await client.menu == nil)
        }
    }

    @Test func `reads no more than it wants`() async throws {
        let transport = ScriptedTransport { _ in LongpressResponse(status: 200, headers: [:], body: Data(count: 1 << 20 + 1)) }
        #expect(await error { try await Bench(transport).client().refresh() } == .tooLarge)
        transport.answer { _ in throw LongpressError.tooLarge }
        #expect(await error { try await Bench(transport).client().refresh() } == .tooLarge)
    }

    @Test func `every truncation of an answer is refused`() async throws {
        let service = DomainService(snapshot: try notes())
        let bench = try Bench(ScriptedTransport(service))
        let url = try #require(URL(string: "https://a/v1/apps/\(appID)/versions/2.0/shortcuts"))
        let body = service.answer(LongpressRequest(method: "GET", url: url, headers: [:], body: nil, limit: 0)).body
        for length in 0..<body.count {
            bench.transport.answer { _ in LongpressResponse(status: 200, headers: [:], body: body.prefix(length)) }
            let client = bench.client()
            #expect(await error { try await client.refresh() } == .invalidResponse("it is not JSON"))
        }
    }

    @Test func `leaves a service alone that fails, for longer each time, and as long as it asks`() async throws {
        let transport = ScriptedTransport.offline
        let bench = try Bench(transport)
        let client = bench.client()
        for (failures, delay) in [2.0, 4, 8, 16].enumerated() {
            #expect(await error { try await client.refresh() } == .unreachable("Unreachable()"))
            #expect(transport.requests.count == failures + 1)
            bench.clock.advance(delay - 0.1)
            #expect(await isBackingOff(client))
            bench.clock.advance(0.2)
        }
        transport.answer(503, "", ["retry-after": "120"])
        #expect(await error { try await client.refresh() } == .status(503))
        bench.clock.advance(119)
        #expect(await isBackingOff(client))
        bench.clock.advance(2)
        transport.answer(DomainService(snapshot: try notes()))
        #expect(try await client.refresh() != .unchanged)
    }

    @Test func `a delay is shortened by chance, to a half at most, and lasts five minutes at most`() async throws {
        let bench = try Bench(.offline)
        let environment = bench.clock.environment
        let client = LongpressClient(
            bench.configuration, bundled: nil, storage: bench.storage, transport: bench.transport,
            environment: ClientEnvironment(now: environment.now, instant: environment.instant, sleep: environment.sleep, random: { 0 }))
        var asked = 0
        for delay in [1.0, 2, 4, 8, 16, 32, 64, 128, 150, 150] {
            asked += 1
            #expect(await error { try await client.refresh() } == .unreachable("Unreachable()"))
            bench.clock.advance(delay - 0.1)
            #expect(await isBackingOff(client))
            #expect(bench.transport.requests.count == asked)
            bench.clock.advance(0.2)
        }
    }

    /// The fields of the answer, the seconds that pass (negative: back), and whether the client asks the service then.
    @Test(arguments: [
        (["Cache-Control": "max-age=60"], 59.0, false), (["Cache-Control": "max-age=60"], 61, true),
        (["Cache-Control": "max-age=60", "Age": "30"], 29, false), (["Cache-Control": "max-age=60", "Age": "30"], 31, true),
        (["Cache-Control": "public , MAX-AGE=60"], 59, false), (["Cache-Control": "max-age=60"], -10, true), ([:], 0, true),
        (["Cache-Control": "max-age=60, no-cache"], 1, true), (["Cache-Control": "no-store, max-age=60"], 1, true),
        (["Cache-Control": "max-age=-1"], 0, true), (["Cache-Control": "max-age=99999999999999999999"], 31_535_000, false),
        (["Cache-Control": "max-age=99999999999999999999"], 31_537_000, true),
    ])
    func `an answer is fresh as long as it says`(_ fields: [String: String], _ seconds: Double, _ isAsked: Bool) async throws {
        let service = DomainService(snapshot: try notes())
        let transport = ScriptedTransport { request in
            let answer = service.answer(request)
            return LongpressResponse(status: answer.status, headers: fields, body: answer.body)
        }
        let bench = try Bench(transport)
        let client = bench.client()
        _ = try await client.refresh()
        bench.clock.advance(seconds)
        _ = try await client.refresh()
        #expect(transport.asked == (isAsked ? ["shortcuts", "bundle", "shortcuts"] : ["shortcuts", "bundle"]))
    }

    @Test func `a confirmation without Cache-Control is as good as the answer was`() async throws {
        let service = DomainService(snapshot: try notes())
        let transport = ScriptedTransport(service)
        let bench = try Bench(transport)
        let client = bench.client()
        _ = try await client.refresh()
        transport.answer(304)
        bench.clock.advance(61)
        #expect(try await client.refresh() == .unchanged)
        bench.clock.advance(59)
        #expect(try await client.refresh() == .unchanged && transport.requests.count == 3)
        bench.clock.advance(2)
        #expect(try await client.refresh() == .unchanged && transport.requests.count == 4)
    }

    @Test func `an error is none while the last answer may be stale`() async throws {
        let transport = ScriptedTransport(DomainService(snapshot: try notes(), cacheControl: "max-age=10, stale-if-error=100"))
        let bench = try Bench(transport)
        let client = bench.client()
        _ = try await client.refresh()
        transport.answer(502)
        bench.clock.advance(50)
        #expect(try await client.refresh() == .unchangedStale(.status(502)))
        #expect(transport.requests.count == 3)
        guard case .unchangedStale(.backingOff) = try await client.refresh() else { throw ScriptedTransport.Unreachable() }
        #expect(transport.requests.count == 3)
        // An error that does not allow a stale answer.
        bench.clock.advance(3)
        transport.answer(403)
        #expect(await error { try await client.refresh() } == .status(403))
        bench.clock.advance(100)
        transport.answer(502)
        #expect(await error { try await client.refresh() } == .status(502))
        #expect(await client.menu?.items.count == 2)
    }

    @Test func `a wall clock that was wrong during a failure delays no later request`() async throws {
        let bench = try Bench(.offline)
        let client = bench.client()
        let years = 4 * 365 * 86_400.0
        bench.clock.set(by: years)
        #expect(await error { try await client.refresh() } == .unreachable("Unreachable()"))
        bench.clock.set(by: -years)
        bench.clock.advance(5)
        #expect(await error { try await client.refresh() } == .unreachable("Unreachable()"))
        // The date is the wall clock's.
        guard case .backingOff(let until)? = await error({ try await client.refresh() }) else { throw ScriptedTransport.Unreachable() }
        #expect(until == bench.clock.environment.now() + 4)
    }

    @Test(arguments: [
        (LongpressError.notConfigured, "Longpress is not configured. Call configure first."),
        (.wrongMenu(app: "com.example.notes", version: "2.0.1"), "The response is for version 2.0.1 of com.example.notes."),
        (.invalidResponse("it is not JSON"), "The response is not an answer of Longpress: it is not JSON."),
        (
            .backingOff(until: Date(timeIntervalSince1970: 1_800_000_000)),
            "The last request failed. The next one is made after 2027-01-15T08:00:00Z."
        ),
    ])
    func `an error is a sentence`(_ error: LongpressError, _ sentence: String) {
        #expect(error.localizedDescription == sentence)
    }

    @Test func `a bundle that cannot be had is asked for with the next refresh`() async throws {
        let service = DomainService(snapshot: try notes())
        let transport = ScriptedTransport { request in
            guard request.url.lastPathComponent == "bundle" else { return service.answer(request) }
            return LongpressResponse(status: 200, headers: [:], body: Data("<html>".utf8))
        }
        let bench = try Bench(transport)
        let client = bench.client()
        #expect(try await client.refresh() != .unchanged)
        transport.answer(service)
        bench.clock.advance(61)
        #expect(try await client.refresh() == .unchanged)
        #expect(transport.asked == ["shortcuts", "bundle", "shortcuts", "bundle"])
    }

    @Test func `a configuration that nothing can be asked with is told`() async throws {
        let transport = ScriptedTransport(DomainService(snapshot: try notes()))
        for (app, version, audience) in [("", "1.0", nil), (appID, "", nil), (appID, "2.x", nil), (appID, "1.0", "Members!")] {
            var bench = try Bench(transport, version: version)
            bench.configuration.app = app
            bench.configuration.audience = audience
            let client = bench.client(bundled: Data("{}".utf8))
            guard case .invalidConfiguration? = await error({ try await client.refresh() }) else {
                Issue.record("\(app) \(version)")
                continue
            }
            #expect(await client.menu == nil)
            #expect(await client.resolve(QuickActionTap(type: "t", userInfo: [:])).outcome == .unknown)
        }
        #expect(transport.requests.isEmpty)
    }
}

private func isBackingOff(_ client: LongpressClient) async -> Bool {
    if case .backingOff? = await error({ try await client.refresh() }) { true } else { false }
}
