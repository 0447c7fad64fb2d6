import Foundation
import QuickActions
import Testing

@testable import LongpressKit
@testable import Shortcuts

/// Drops `compose`, and has other endings of earlier ids than the set.
private let candidate = #"""
    {"items": [
      {"id": "new", "type": "t.new", "title": {"en": "New", "ko": "새로"}, "replaces": ["old"], "url": "notes://new"},
      {"id": "share", "type": "t.share", "title": {"en": "Share"}, "url": "notes://share"},
      {"id": "hidden", "type": "t.hidden", "title": {"en": "Hidden"}, "url": "notes://hidden", "enabled": false},
      {"id": "message", "type": "t.message", "title": {"en": "Message {name}"},
       "personal": {"source": "recent", "sample": {"name": "N"}}}],
     "retired": [{"id": "gone", "url": "notes://candidate/gone"}], "fallbackURL": "notes://candidate"}
    """#

/// Digits of an installation whose number in each roll-out is in the range.
private func digits(_ ranges: KeyValuePairs<String, Range<Int>>) -> String {
    for number in 0... {
        let text = String(number, radix: 16)
        let digits = String(repeating: "0", count: 32 - text.count) + text
        if ranges.allSatisfy({ $1.contains(RolloutArm.bucket(of: digits, in: $0)) }) { return digits }
    }
    return ""
}

@Suite struct RolloutTests {
    private let installation = "\(appID).installation"

    /// - Parameter digits: the id of the installation.
    private func bench(_ snapshot: AppSnapshot, _ digits: String, version: String = "2.0") throws -> Bench {
        let bench = try Bench(ScriptedTransport(DomainService(snapshot: snapshot)), version: version)
        bench.storage.files.withLock { $0[installation] = Seal.close(Array(digits.utf8)) }
        return bench
    }

    private func candidateItem(_ id: String, in snapshot: AppSnapshot) throws -> QuickActionTap {
        try tap(id, at: "2.0", in: snapshot.seen(in: .candidate, of: "r1"))
    }

    private func isOffline(_ bench: Bench) { bench.transport.answer { _ in throw ScriptedTransport.Unreachable() } }

    @Test func `the candidate is shown, with its personal items, and after a restart without a network`() async throws {
        let bench = try bench(try notes().rollingOut(candidate, to: 5000), digits(["r1": 0..<5000]))
        _ = try await bench.client().refresh()
        isOffline(bench)
        bench.clock.advance(86_400 * 30)
        let menu = try #require(await bench.client().menu)
        #expect(menu.items.map(\.id) == ["new", "share"] && menu.revision == 9 && menu.sources == ["recent": 1])
        #expect(menu.items(with: ["recent": [["name": "Ana"]]]).map(\.title) == ["New", "Share", "Message Ana"])
        #expect(menu.rollout?.id == "r1" && menu.rollout?.arm == .candidate)
    }

    @Test func `other installations are shown the set`() async throws {
        let bench = try bench(try notes().rollingOut(candidate, to: 5000), digits(["r1": 5000..<10_000]))
        _ = try await bench.client().refresh()
        isOffline(bench)
        let menu = try #require(await bench.client().menu)
        #expect(menu.items.map(\.id) == ["compose", "new"] && menu.revision == 2 && menu.sources.isEmpty)
        #expect(menu.rollout?.id == "r1" && menu.rollout?.arm == .control)
    }

    @Test func `who has the candidate keeps it when the share rises, and may lose it when the share falls`() async throws {
        let bench = try bench(try notes(), digits(["r1": 3000..<3001, "r2": 9000..<10_000]))
        let client = bench.client()
        func arm(_ rollout: RolloutID, _ threshold: Int) async throws -> QuickActionMenu.Rollout.Arm? {
            bench.transport.answer(DomainService(snapshot: try notes().rollingOut(candidate, as: rollout, to: threshold)))
            bench.clock.advance(61)
            _ = try await client.refresh()
            let known = await client.menu?.rollout
            #expect(await bench.client().menu?.rollout == known && known?.id == rollout.description)
            return known?.arm
        }
        #expect(try await arm("r1", 0) == .control)
        #expect(try await arm("r1", 3000) == .control)
        #expect(try await arm("r1", 3001) == .candidate)
        #expect(try await arm("r1", 9000) == .candidate)
        #expect(try await arm("r1", 10_000) == .candidate)
        #expect(try await arm("r1", 2000) == .control)
        #expect(try await arm("r1", 3001) == .candidate)
        // Another roll-out begins with other installations.
        #expect(try await arm("r2", 3001) == .control)
        #expect(try await arm("r2", 10_000) == .candidate)
        // The end of the roll-out.
        bench.transport.answer(DomainService(snapshot: try notes()))
        bench.clock.advance(61)
        guard case .changed(let menu) = try await client.refresh() else { throw LongpressError.cancelled }
        #expect(menu.rollout == nil && menu.items.map(\.id) == ["compose", "new"])
    }

    @Test func `a change of the share alone is no change of the menu, and a confirmed menu keeps its arm`() async throws {
        let bench = try bench(try notes().rollingOut(candidate, to: 5000), digits(["r1": 0..<5000]))
        let client = bench.client()
        _ = try await client.refresh()
        bench.transport.answer(DomainService(snapshot: try notes().rollingOut(candidate, to: 6000)))
        bench.clock.advance(61)
        #expect(try await client.refresh() == .unchanged)
        // Confirmed with 304, while the file with the id is lost.
        bench.storage.files.withLock { $0[installation] = nil }
        bench.clock.advance(61)
        #expect(try await client.refresh() == .unchanged)
        #expect(await bench.client().menu?.rollout?.arm == .candidate)
        #expect(bench.transport.asked == ["shortcuts", "bundle", "shortcuts", "bundle", "shortcuts"])
    }

    @Test func `without a roll-out, the same bytes are stored as before`() async throws {
        let bench = try Bench(ScriptedTransport(DomainService(snapshot: try notes())))
        _ = try await bench.client().refresh()
        let files = bench.storage.files.withLock { $0 }
        #expect(files.keys.sorted() == [".bundle", ".menu"].map { appID + $0 })
        let menu = try #require(files[appID + ".menu"].flatMap(Seal.open))
        let head = String(decoding: menu.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        let etag = try #require(files[appID + ".menu"].flatMap { KeptAnswer($0) }?.etag)
        let quoted = String(decoding: JSON.string(etag).encoded, as: UTF8.self)
        #expect(
            head == #"{"form":1,"key":"\#(appID) 2.0.0 default *","etag":\#(quoted),"since":1800000000000,"maxAge":60,"#
                + #""staleIfError":604800}"#)
    }

    @Test func `a menu that an earlier version stored opens, and the next answer makes the choice`() async throws {
        let bench = try bench(try notes().rollingOut(candidate, to: 10_000), digits(["r1": 0..<10_000]))
        _ = try await bench.client().refresh()
        bench.storage.files.withLock { files in
            var answer = files[appID + ".menu"].flatMap(KeptAnswer.init)
            answer?.arm = nil
            files = [appID + ".menu": answer?.file ?? Data(), appID + ".bundle": files[appID + ".bundle"] ?? Data()]
            files[appID + ".taps"] = Seal.close(
                Array(#"{"pending":[{"type":"t.old","outcome":"removed","audience":"default","count":2}],"sentAt":5}"#.utf8))
        }
        let client = bench.client()
        let before = try #require(await client.menu)
        #expect(before.items.map(\.id) == ["compose", "new"] && before.rollout == nil)
        let removed = await client.resolve(try candidateItem("share", in: try notes().rollingOut(candidate, to: 10_000)))
        #expect(removed.outcome == .removed)
        bench.clock.advance(61)
        #expect(try await client.refresh() != .unchanged)
        #expect(await client.menu?.rollout?.arm == .candidate && bench.transport.requests.last?.headers["If-None-Match"] != nil)
        var counted = try #require(bench.storage.load(appID + ".taps").flatMap { CountedTaps($0) })
        #expect(counted.prepared(at: Timestamp(milliseconds: 0))?.json["counts"]?.asElements?.count == 1)
    }

    @Test func `a bundled file never chooses the candidate, but resolves its ids`() async throws {
        let snapshot = try notes().rollingOut(candidate, to: 10_000)
        let bench = try Bench(.offline)
        let client = bench.client(bundled: try bundle(snapshot, "2.0"))
        let menu = try #require(await client.menu)
        #expect(menu.items.map(\.id) == ["compose", "new"] && menu.rollout == nil)
        for (id, url) in [("share", "notes://share"), ("hidden", "notes://hidden"), ("new", "notes://new")] {
            let action = await client.resolve(try candidateItem(id, in: snapshot))
            #expect(action.outcome == .current && action.item?.id == id && action.url?.absoluteString == url)
        }
        // Items of the set are resolved in the set.
        #expect(await client.resolve(try tap("compose", at: "2.0", in: snapshot)).outcome == .current)
        #expect(await client.resolve(try tap("gone", at: "1.0", in: snapshot)).url?.absoluteString == "notes://gone")
        #expect(bench.transport.requests.isEmpty && bench.storage.files.withLock { $0.isEmpty })
    }

    @Test(arguments: [(0..<5000, true), (5000..<10_000, false)])
    func `a tap resolves in the arm of the installation without a network`(_ range: Range<Int>, _ isCandidate: Bool) async throws {
        let snapshot = try notes().rollingOut(candidate, to: 5000)
        let bench = try bench(snapshot, digits(["r1": range]))
        _ = try await bench.client().refresh()
        isOffline(bench)
        // Also with the bundle of the app in place of the stored one.
        for hasStoredBundle in [true, false] {
            if !hasStoredBundle { bench.storage.files.withLock { $0[appID + ".bundle"] = nil } }
            let client = bench.client(bundled: try bundle(snapshot, "2.0"))
            func resolved(_ tap: QuickActionTap) async -> String {
                let action = await client.resolve(tap)
                return "\(action.outcome) \(action.item?.id ?? "-") \(action.url?.absoluteString ?? "-")"
            }
            let share = await resolved(try candidateItem("share", in: snapshot))
            #expect(share == (isCandidate ? "current share notes://share" : "removed - notes://home"))
            let hidden = await resolved(try candidateItem("hidden", in: snapshot))
            #expect(hidden == (isCandidate ? "current hidden notes://hidden" : "removed - notes://home"))
            let compose = await resolved(try tap("compose", at: "2.0", in: snapshot))
            #expect(compose == (isCandidate ? "removed - notes://candidate" : "current compose notes://compose"))
            let gone = await resolved(try tap("gone", at: "1.0", in: snapshot))
            #expect(gone == (isCandidate ? "retired - notes://candidate/gone" : "retired - notes://gone"))
            #expect(await resolved(try tap("old", at: "1.0", in: snapshot)) == "replaced new notes://new")
            let untagged = await resolved(QuickActionTap(type: "t.share", userInfo: [:]))
            #expect(untagged == (isCandidate ? "untagged share notes://share" : "unknown - notes://home"))
        }
    }

    @Test func `after the end of the roll-out a tap resolves by the set`() async throws {
        let running = try notes().rollingOut(candidate, to: 10_000)
        let bench = try bench(running, digits(["r1": 0..<1]))
        let client = bench.client()
        _ = try await client.refresh()
        bench.transport.answer(DomainService(snapshot: try notes()))
        bench.clock.advance(61)
        _ = try await client.refresh()
        isOffline(bench)
        // The bundled file is older.
        let next = bench.client(bundled: try bundle(running, "2.0"))
        let action = await next.resolve(try candidateItem("share", in: running))
        #expect(action.outcome == .removed && action.url?.absoluteString == "notes://home")
        #expect(await next.resolve(try tap("compose", at: "2.0", in: running)).outcome == .current)
    }

    @Test func `another language shows the candidate, too, from the stored bundle`() async throws {
        var bench = try bench(try notes().rollingOut(candidate, to: 10_000), digits(["r1": 0..<1]))
        _ = try await bench.client().refresh()
        isOffline(bench)
        bench.configuration.languages = ["ko"]
        let menu = try #require(await bench.client().menu)
        #expect(menu.items.map(\.title) == ["새로", "Share"] && menu.rollout?.arm == .candidate)
    }

    @Test func `a draft is shown without a choice`() async throws {
        var bench = try bench(try notes().rollingOut(candidate, to: 10_000), digits(["r1": 0..<1]))
        bench.configuration.allowsPreviews = true
        let client = bench.client()
        _ = try await client.refresh()
        #expect(await client.begin(try #require(URL(string: "notes://longpress-preview?id=a&token=b"))))
        _ = try await client.refresh()
        let menu = try #require(await client.menu)
        #expect(menu.items.map(\.id) == ["compose", "new"] && menu.rollout == nil)
    }

    @Test func `a tap that the service resolves has the arm`() async throws {
        let snapshot = try notes().rollingOut(candidate, to: 5000)
        for (range, arm) in [(0..<5000, "candidate"), (5000..<10_000, "control")] {
            let bench = try bench(snapshot, digits(["r1": range]))
            let service = DomainService(snapshot: snapshot)
            bench.transport.answer { request in
                guard request.url.lastPathComponent != "bundle" else { throw ScriptedTransport.Unreachable() }
                return service.answer(request)
            }
            let client = bench.client()
            _ = try await client.refresh()
            let action = await client.resolve(try tap("gone", at: "1.0", in: snapshot))
            #expect(action.source == .server)
            #expect(action.url?.absoluteString == (arm == "candidate" ? "notes://candidate/gone" : "notes://gone"))
            let body = try JSON(document: Array(bench.transport.requests.last?.body ?? Data()))
            #expect(body["rollout"]?.encoded == Array(#"{"id":"r1","arm":"\#(arm)"}"#.utf8))
        }
        // Without a roll-out, nothing is added.
        let bench = try Bench(ScriptedTransport(DomainService(snapshot: try notes())))
        _ = await bench.client().resolve(try tap("gone", at: "1.0", in: snapshot))
        let body = try JSON(document: Array(bench.transport.requests.last?.body ?? Data()))
        #expect(body["rollout"] == nil)
    }

    @Test(arguments: [
        (#""threshold":5000"#, #""threshold":10001"#, #""threshold" is missing or not an integer from 0 to 10000"#),
        (#""threshold":5000"#, #""threshold":-1"#, #""threshold" is missing or not an integer from 0 to 10000"#),
        (#""rollout":{"id":"r1""#, #""rollout":{"id":1"#, #""id" is missing or not a string"#),
        (#""rollout":{"id":"r1""#, #""rollout":7,"x":{"id":"r1""#, #""rollout" is not an object"#),
    ])
    func `a roll-out that cannot be read is refused with its menu`(_ from: String, _ to: String, _ reason: String) async throws {
        let service = DomainService(snapshot: try notes().rollingOut(candidate, to: 5000))
        let transport = ScriptedTransport { request in
            let answer = service.answer(request)
            let body = String(decoding: answer.body, as: UTF8.self)
            #expect(body.contains(from))
            return LongpressResponse(
                status: 200, headers: answer.headers, body: Data(body.replacingOccurrences(of: from, with: to).utf8))
        }
        let client = try Bench(transport).client()
        #expect(await error { try await client.refresh() } == .invalidResponse(reason))
    }
}
