import Foundation
import QuickActions
import Testing

@testable import LongpressKit
@testable import Shortcuts

/// A tap on an item as it was served to a version.
func tap(_ id: String, at version: String, in snapshot: AppSnapshot) throws -> QuickActionTap {
    let build = try #require(AppBuild(version))
    let answer = try #require(ShortcutsAnswer(for: Client(build: build), in: snapshot))
    let item = try #require(answer.effective.set.items.first { $0.id.description == id })
    let served = QuickActionItem(try ServedItem(answer.json(of: item)))
    return QuickActionTap(type: served.type, userInfo: served.userInfo)
}

@Suite struct ResolveTests {
    @Test func `a tap as served needs no request, with a bundle, a stored one, or the menu alone`() async throws {
        let snapshot = try notes()
        let transport = ScriptedTransport.offline
        let bench = try Bench(transport)
        let tap = try tap("compose", at: "2.0", in: snapshot)
        let expected: (ResolvedAction) -> Bool = {
            $0.outcome == .current && $0.item?.id == "compose" && $0.url?.absoluteString == "notes://compose" && !$0.needsRefresh
                && $0.source == .continuity && $0.tapped["n"] == .integer(1) && $0.tapped["longpress.item"] == nil
        }
        #expect(expected(await bench.client(bundled: try bundle(snapshot, "2.0")).resolve(tap)))
        #expect(transport.requests.isEmpty)

        let service = DomainService(snapshot: snapshot)
        transport.answer { request in
            guard request.url.lastPathComponent == "shortcuts" else { throw ScriptedTransport.Unreachable() }
            return service.answer(request)
        }
        _ = try await bench.client().refresh()
        let client = bench.client()
        #expect(expected(await client.resolve(tap)) && transport.requests.count == 2)
    }

    @Test func `what an update makes of taps is told without a network`() async throws {
        let snapshot = try notes()
        let transport = ScriptedTransport.offline
        let client = try Bench(transport).client(bundled: try bundle(snapshot, "2.0"))
        let expected: [(String, ResolvedAction.Outcome, String?, String?)] = [
            ("compose", .equivalent, "compose", "notes://compose"), ("old", .replaced, "new", "notes://new"),
            ("gone", .retired, nil, "notes://gone"), ("lost", .removed, nil, "notes://home"),
        ]
        for (id, outcome, item, url) in expected {
            let action = await client.resolve(try tap(id, at: "1.0", in: snapshot))
            #expect((action.outcome, action.item?.id, action.url?.absoluteString) == (outcome, item, url), "\(id)")
            #expect(action.needsRefresh && action.source == .continuity)
        }
        let off = await client.resolve(try tap("off", at: "2.0", in: snapshot))
        #expect(off.outcome == .current && off.item?.id == "off" && off.item?.isVisible == false)
        let untagged = await client.resolve(QuickActionTap(type: "t.new", userInfo: ["n": .real(.nan)]))
        #expect(untagged.outcome == .untagged && untagged.item?.id == "new")
        let nobody = await client.resolve(QuickActionTap(type: "t.nobody", userInfo: [:]))
        #expect(nobody.outcome == .unknown && nobody.url?.absoluteString == "notes://home")
        #expect(transport.requests.isEmpty)
    }

    @Test func `a downgrade asks the service, and offline the document stands`() async throws {
        let snapshot = try notes()
        let transport = ScriptedTransport(DomainService(snapshot: snapshot))
        let bench = try Bench(transport)
        let client = bench.client(bundled: try bundle(snapshot, "2.0"))
        let tap = try tap("newest", at: "3.0", in: snapshot)
        let action = await client.resolve(tap)
        #expect((action.outcome, action.item?.id, action.source) == (.replaced, "new", .server))
        #expect(transport.asked == ["taps"])
        transport.answer { _ in throw ScriptedTransport.Unreachable() }
        let offline = await client.resolve(tap)
        #expect((offline.outcome, offline.url?.absoluteString, offline.source) == (.removed, "notes://home", .continuity))
        // An id in the document needs no request.
        _ = await client.resolve(try ResolveTests.future("compose", in: snapshot))
        #expect(transport.requests.count == 2)
    }

    private static func future(_ id: String, in snapshot: AppSnapshot) throws -> QuickActionTap {
        try tap(id, at: "3.0", in: snapshot)
    }

    @Test func `without a document the service is asked, with the audience, and nothing of the app's own`() async throws {
        let snapshot = try notes()
        let transport = ScriptedTransport(DomainService(snapshot: snapshot))
        var bench = try Bench(transport, languages: ["ko"])
        bench.configuration.build = "7"
        let action = await bench.client().resolve(try tap("old", at: "1.0", in: snapshot))
        #expect((action.outcome, action.item?.id, action.source) == (.replaced, "new", .server))
        let request = try #require(transport.requests.first)
        #expect(request.method == "POST" && request.headers["Accept-Language"] == "ko")
        #expect(request.headers["Content-Type"] == "application/json")
        let body = try JSON(document: Array(try #require(request.body)))
        #expect(body["audience"]?.encoded == JSON.string("default").encoded && body["build"]?.encoded == JSON.string("7").encoded)
        let sent = body["userInfo"]?.members.map(\.name.string) ?? []
        #expect(!sent.isEmpty && sent.allSatisfy { $0.hasPrefix("longpress.") })
    }

    @Test func `waits for the service no longer than it has patience`() async throws {
        let bench = try Bench(
            ScriptedTransport { _ in
                // A transport may ignore a cancellation.
                await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
                throw ScriptedTransport.Unreachable()
            })
        let client = bench.client()
        let tap = try tap("compose", at: "1.0", in: try notes())
        let action = Task { await client.resolve(tap) }
        await eventually { bench.clock.sleepers == 1 && bench.transport.requests.count == 1 }
        bench.clock.advance(0.79)
        #expect(bench.clock.sleepers == 1)
        bench.clock.advance(0.02)
        let unknown = await action.value
        #expect((unknown.outcome, unknown.item, unknown.url, unknown.needsRefresh, unknown.source) == (.unknown, nil, nil, true, .none))
    }

    @Test func `where nothing can tell, an item of this very version leads where it said`() async throws {
        let client = try Bench(.offline).client()
        let action = await client.resolve(try tap("compose", at: "2.0", in: try notes()))
        #expect((action.outcome, action.url?.absoluteString) == (.unknown, "notes://compose"))
    }

    @Test(arguments: [
        (200, "<html>"), (200, "{}"), (200, #"{"outcome":"current","item":{},"url":null,"refresh":false}"#), (503, ""), (413, "{}"),
        (200, #"{"outcome":7,"refresh":true}"#), (200, ""),
    ])
    func `an odd answer to a tap is none`(_ status: Int, _ body: String) async throws {
        let transport = ScriptedTransport.offline
        transport.answer(status, body)
        let action = try await Bench(transport).client().resolve(tap("old", at: "1.0", in: try notes()))
        #expect(action.outcome == .unknown && action.source == .none && transport.requests.count == 1)
    }

    /// A service without its bundles.
    private func menus(_ snapshot: AppSnapshot) -> ScriptedTransport {
        let service = DomainService(snapshot: snapshot)
        return ScriptedTransport { request in
            guard request.url.lastPathComponent == "shortcuts" else { throw ScriptedTransport.Unreachable() }
            return service.answer(request)
        }
    }

    @Test func `a member's menu resolves its own items beside the default bundle`() async throws {
        let snapshot = try notes()
        let transport = menus(snapshot)
        var bench = try Bench(transport)
        bench.configuration.audience = "member"
        _ = try await bench.client(bundled: try bundle(snapshot, "2.0")).refresh()
        // The person's languages have changed since, and the item was registered at an earlier revision.
        bench.configuration.languages = ["ko"]
        transport.answer { _ in throw ScriptedTransport.Unreachable() }
        let client = bench.client(bundled: try bundle(snapshot, "2.0"))
        let item = try #require(await client.menu?.items.first)
        #expect(item.id == "inbox")
        #expect(await client.resolve(QuickActionTap(type: item.type, userInfo: item.userInfo)).outcome == .current)
        let earlier = item.userInfo.merging(["longpress.revision": .integer(1)]) { $1 }
        let action = await client.resolve(QuickActionTap(type: item.type, userInfo: earlier))
        #expect((action.outcome, action.item?.id, action.url?.absoluteString) == (.equivalent, "inbox", "notes://inbox"))
        #expect(action.source == .continuity && transport.asked.filter { $0 == "taps" } == [])
        // An id that the audience lacks is not looked up in the default audience.
        #expect(await client.resolve(try tap("old", at: "1.0", in: snapshot)).outcome == .unknown)
    }

    @Test func `an audience without a timeline is resolved like the default one`() async throws {
        let snapshot = try notes()
        let transport = menus(snapshot)
        var bench = try Bench(transport)
        bench.configuration.audience = "guest"
        for isFetched in [false, true] {
            if isFetched {
                _ = try await bench.client().refresh()
                transport.answer { _ in throw ScriptedTransport.Unreachable() }
            }
            let client = bench.client(bundled: try bundle(snapshot, "2.0"))
            let asked = transport.requests.count
            #expect(await client.menu?.audience == "default")
            let action = await client.resolve(try tap("old", at: "1.0", in: snapshot))
            #expect((action.outcome, action.item?.id, action.source) == (.replaced, "new", .continuity))
            // Only before the first fetch, the audience might have a timeline.
            #expect(transport.requests.count - asked == (isFetched ? 0 : 1))
        }
    }

    @Test func `what is shown can be resolved, whatever was fetched for whichever audience`() async throws {
        let snapshot = try notes()
        for bundled in [nil, "default", "member"] {
            for fetched in [nil, "member", "guest"] as [String?] {
                for hasBundle in [false, true] {
                    for now in [nil, "member", "guest"] as [String?] {
                        let transport = hasBundle ? ScriptedTransport(DomainService(snapshot: snapshot)) : menus(snapshot)
                        var bench = try Bench(transport)
                        bench.configuration.audience = fetched
                        let document = try bundled.map { try bundle(snapshot, "2.0", try #require(Audience($0))) }
                        _ = try await bench.client(bundled: document).refresh()
                        transport.answer { _ in throw ScriptedTransport.Unreachable() }
                        bench.configuration.languages = ["ko"]
                        let client = bench.client(bundled: document)
                        await client.update(audience: now)
                        for item in await client.menu?.items ?? [] {
                            let action = await client.resolve(QuickActionTap(type: item.type, userInfo: item.userInfo))
                            #expect(
                                [.current, .equivalent].contains(action.outcome) && action.item?.id == item.id,
                                "bundled for \(bundled ?? "-"), fetched for \(fetched ?? "-") \(hasBundle), now \(now ?? "-")")
                        }
                    }
                }
            }
        }
    }

    @Test func `static items need nobody`() async throws {
        let transport = ScriptedTransport.offline
        var bench = try Bench(transport)
        bench.configuration.staticTypes = ["search"]
        let action = await bench.client().resolve(QuickActionTap(type: "search", userInfo: ["a": .integer(1)]))
        #expect((action.outcome, action.needsRefresh, action.tapped, action.source) == (.static, false, ["a": .integer(1)], .none))
        #expect(transport.requests.isEmpty)
    }

    @Test func `an item of the app itself needs nobody, whatever the configuration`() async throws {
        let transport = ScriptedTransport.offline
        var bench = try Bench(transport)
        bench.configuration.version = "no version"
        let tapped: [String: PropertyListValue] = [
            "longpress.own": .string("open-budget"), "longpress.url": .string("mail://file/7"), "n": .integer(1),
        ]
        let action = await bench.client().resolve(QuickActionTap(type: "open", userInfo: tapped))
        let url = URL(string: "mail://file/7")
        #expect(action == ResolvedAction(outcome: .own, type: "open", id: "open-budget", url: url, tapped: ["n": .integer(1)]))
        #expect(transport.requests.isEmpty)
    }

    @Test func `an action says which version registered the tapped item`() async throws {
        let snapshot = try notes()
        let client = try Bench(.offline).client(bundled: try bundle(snapshot, "2.0"))
        let action = await client.resolve(try tap("old", at: "1.0", in: snapshot))
        #expect(action.outcome == .replaced && action.item?.id == "new")
        #expect((action.type, action.id) == ("t.old", "old"))
        #expect(action.registeredBy == .init(version: "1.0.0", revision: 1))
        let untagged = await client.resolve(QuickActionTap(type: "t.new", userInfo: [:]))
        #expect(untagged.outcome == .untagged && untagged.id == nil && untagged.registeredBy == nil)
    }

    @Test func `values of personal items are in no request and in no file, over 10,000 taps`() async throws {
        let personal = #"""
            {"id": "message", "type": "t.message", "title": {"en": "Message {name}"}, "url": "notes://to?a={address}",
             "userInfo": {"who": "{address}"}, "personal": {"source": "recent", "sample": {"name": "N", "address": "A"}}}
            """#
        let snapshot = try snapshot([try timeline(["1.0": #"{"items": [\#(personal)]}"#, "3.0": #"{"items": []}"#])])
        let service = DomainService(snapshot: snapshot)
        var dice = Dice(state: 5)
        for (version, count) in [("1.0", 4000), ("3.0", 3000), ("0.9", 3000)] {
            var bench = try Bench(ScriptedTransport(service), version: version)
            bench.configuration.countsTaps = true
            bench.configuration.patience = .seconds(60)
            let client = LongpressClient(
                bench.configuration, bundled: nil, storage: bench.storage, transport: bench.transport,
                environment: ClientEnvironment(now: { Date() }, instant: { .now }, sleep: { try await Task.sleep(for: $0) }, random: { 0 }))
            // Without documents, every tap is asked of the service.
            if version == "1.0" { _ = try await client.refresh() }
            let build = try #require(AppBuild("1.0"))
            let answer = try #require(ShortcutsAnswer(for: Client(build: build), in: snapshot))
            let item = try #require(answer.effective.set.items.first.flatMap { answer.personalJSON(of: $0) })
            let template = try ServedPersonalItem(item)
            for _ in 0..<count {
                let secret = "Secret\(UInt64.random(in: 0...UInt64.max, using: &dice))"
                let values = ["name": secret, "address": "\(secret)@example.com", "more": secret]
                let served = QuickActionItem(try #require(template.registered(with: values)))
                var userInfo = served.userInfo
                // Also where a damaged item has them.
                if Bool.random(using: &dice) { userInfo["longpress.values"] = .string("{\(secret)") }
                if Bool.random(using: &dice) { userInfo["name"] = .string(secret) }
                _ = await client.resolve(QuickActionTap(type: served.type, userInfo: userInfo))
            }
            await client.reportTaps()
            #expect(bench.transport.asked.contains("counts"))
            for request in bench.transport.requests {
                let sent = "\(request.url) \(request.headers) \(String(decoding: request.body ?? Data(), as: UTF8.self))"
                #expect(!sent.contains("Secret"))
            }
            #expect(!bench.storage.files.withLock { $0.values.contains { String(decoding: $0, as: UTF8.self).contains("Secret") } })
        }
    }

    @Test func `no damaged tag is an error`() async throws {
        let snapshot = try notes()
        let client = try Bench(.offline).client(bundled: try bundle(snapshot, "2.0"))
        let sound = try tap("compose", at: "2.0", in: snapshot).userInfo
        let odd: [PropertyListValue] = [
            .string(""), .string("\u{0}"), .string(String(repeating: "9", count: 10_000)), .string("999999999999999999999"),
            .integer(.min), .integer(.max), .real(.nan), .real(.infinity), .boolean(true), .date(Date(timeIntervalSince1970: 1e300)),
            .date(Date(timeIntervalSince1970: .nan)), .data(Data(count: 9)), .array([]), .dictionary([:]), .string("é"),
            .string("e\u{301}"),
            .string("-1"), .string("٣"), .string("1.0.0+"), .string("+1"), .string("1..0"),
        ]
        var outcomes: Set<ResolvedAction.Outcome> = []
        for key in sound.keys.sorted() where key.hasPrefix("longpress.") {
            for value in odd + [nil] {
                var userInfo = sound
                userInfo[key] = value
                outcomes.insert(await client.resolve(QuickActionTap(type: "t.nobody", userInfo: userInfo)).outcome)
            }
        }
        #expect(outcomes == [.current, .equivalent, .changed, .removed, .unknown])
    }

    @Test func `of two keys that Swift holds for equal the last one wins`() throws {
        let json = try JSON(document: Array("{\"e\u{301}\":1,\"\u{e9}\":2}".utf8))
        let dictionary = try #require(PropertyList.Dictionary(json: json.members))
        #expect(dictionary.members.count == 2)
        let values = [String: PropertyListValue](dictionary)
        #expect(values == ["\u{e9}": .integer(2)] && values.keys.first?.utf8.count == 2)
    }
}
