import Foundation
import QuickActions
import Synchronization
import Testing

@testable import LongpressKit

/// Counts like the service: an id once.
private final class CountingService: Sendable {
    private let batches = Mutex<[String: JSON]>([:])

    func accept(_ request: LongpressRequest) throws {
        let json = try JSON(document: [UInt8](request.body ?? Data()))
        guard let id = json["batch"]?.asText else { throw ScriptedTransport.Unreachable() }
        batches.withLock { known in if known[id.string] == nil { known[id.string] = json } }
    }

    /// By type.
    var counts: [String: Int64] {
        batches.withLock { known in
            known.values.flatMap { $0["counts"]?.asElements ?? [] }.reduce(into: [:]) { sum, entry in
                sum[entry["type"]?.asText?.string ?? "", default: 0] += entry["count"]?.asInteger ?? 0
            }
        }
    }

    var ids: [String] { batches.withLock { $0.keys.sorted() } }
}

@Suite struct CountedTapsTests {
    private func bench(_ transport: ScriptedTransport) throws -> Bench {
        var bench = try Bench(transport)
        bench.configuration.countsTaps = true
        return bench
    }

    private func counts(_ request: LongpressRequest) throws -> JSON { try JSON(document: [UInt8](request.body ?? Data())) }

    @Test func `taps are counted by kind and reported, at most every 15 minutes`() async throws {
        let snapshot = try notes()
        let transport = ScriptedTransport { _ in LongpressResponse(status: 202, headers: [:], body: Data()) }
        let bench = try bench(transport)
        let client = bench.client(bundled: try bundle(snapshot, "2.0"))
        for _ in 0..<3 { _ = await client.resolve(try tap("old", at: "1.0", in: snapshot)) }
        _ = await client.resolve(try tap("compose", at: "2.0", in: snapshot))
        _ = await client.resolve(QuickActionTap(type: "open", userInfo: ["longpress.own": .string("Ana's letter")]))
        await client.reportTaps()
        let request = try #require(transport.requests.first)
        #expect(request.method == "POST" && request.url.path == "/quick/v1/apps/\(appID)/versions/2.0.0/taps/counts")
        let json = try counts(request)
        let entries = (json["counts"]?.asElements ?? []).map { String(decoding: $0.encoded, as: UTF8.self) }.sorted()
        #expect(
            entries == [
                #"{"item":"compose","type":"t.compose","registeredBy":{"version":"2.0.0","revision":2},"outcome":"current","count":1}"#,
                #"{"item":"old","type":"t.old","registeredBy":{"version":"1.0.0","revision":1},"outcome":"replaced","count":3}"#,
            ])
        #expect(json["audience"]?.asText?.string == "default")
        _ = await client.resolve(try tap("old", at: "1.0", in: snapshot))
        await client.reportTaps()
        bench.clock.advance(14 * 60)
        await client.reportTaps()
        #expect(transport.requests.count == 1)
        bench.clock.advance(2 * 60)
        await client.reportTaps()
        #expect(transport.requests.count == 2)
        bench.clock.advance(3600)
        await client.reportTaps()
        #expect(transport.requests.count == 2)
    }

    @Test func `nothing is counted or sent by default, and then the service counts`() async throws {
        let transport = ScriptedTransport(DomainService(snapshot: try notes()))
        var bench = try Bench(transport)
        _ = await bench.client().resolve(try tap("old", at: "1.0", in: try notes()))
        await bench.client().reportTaps()
        #expect(transport.asked == ["taps"] && bench.storage.files.withLock { $0.isEmpty })
        #expect(try counts(transport.requests[0])["counted"] == nil)
        bench.configuration.countsTaps = true
        _ = await bench.client().resolve(try tap("old", at: "1.0", in: try notes()))
        #expect(try counts(transport.requests[1])["counted"]?.encoded == Array("false".utf8))
    }

    @Test func `a batch has at most 100 kinds of 1,000 taps, of one audience`() async throws {
        let service = CountingService()
        let transport = ScriptedTransport { request in
            try service.accept(request)
            return LongpressResponse(status: 202, headers: [:], body: Data())
        }
        var bench = try bench(transport)
        bench.configuration.staticTypes = Set((0..<120).map { "t\($0)" })
        let client = bench.client()
        for type in bench.configuration.staticTypes { _ = await client.resolve(QuickActionTap(type: type, userInfo: [:])) }
        for _ in 0..<2500 { _ = await client.resolve(QuickActionTap(type: "t0", userInfo: [:])) }
        await client.update(audience: "member")
        _ = await client.resolve(QuickActionTap(type: "t1", userInfo: [:]))
        await client.reportTaps()
        #expect(service.counts["t0"] == 2501 && service.counts["t1"] == 2 && service.counts.count == 120)
        for request in transport.requests {
            let entries = try counts(request)["counts"]?.asElements ?? []
            #expect(entries.count <= 100 && entries.allSatisfy { ($0["count"]?.asInteger ?? 0) <= 1000 })
        }
        #expect(Set(try transport.requests.map { try counts($0)["audience"]?.asText?.string }) == ["default", "member"])
    }

    @Test(arguments: [(400, 0), (422, 0), (413, 0), (429, 1), (500, 1), (302, 1), (200, 1)])
    func `a batch is repeated unchanged, unless it can never be accepted`(_ status: Int, _ repetitions: Int) async throws {
        let transport = ScriptedTransport.offline
        transport.answer(status)
        var bench = try bench(transport)
        bench.configuration.staticTypes = ["a"]
        _ = await bench.client().resolve(QuickActionTap(type: "a", userInfo: [:]))
        await bench.client().reportTaps()
        bench.clock.advance(3600)
        transport.answer(202)
        await bench.client().reportTaps()
        #expect(transport.requests.count == 1 + repetitions)
        #expect(transport.requests.first?.body == transport.requests.last?.body)
    }

    @Test func `a batch is dropped after six days, before the service forgets its id`() async throws {
        let transport = ScriptedTransport.offline
        var bench = try bench(transport)
        bench.configuration.staticTypes = ["a"]
        _ = await bench.client().resolve(QuickActionTap(type: "a", userInfo: [:]))
        await bench.client().reportTaps()
        bench.clock.advance(6 * 86_400 - 10)
        await bench.client().reportTaps()
        #expect(transport.requests.count == 2)
        bench.clock.advance(3600)
        await bench.client().reportTaps()
        #expect(transport.requests.count == 2)
    }

    @Test func `in 1,000 random runs of kills, lost answers and repetitions each tap counts once`() async throws {
        for seed in UInt64(0)..<1000 {
            let dice = Mutex(Dice(state: seed))
            func roll(_ sides: Int) -> Int { dice.withLock { Int.random(in: 0..<sides, using: &$0) } }
            let service = CountingService()
            let isOver = Mutex(false)
            let transport = ScriptedTransport { request in
                let fate = isOver.withLock { $0 } ? 9 : dice.withLock { Int.random(in: 0..<10, using: &$0) }
                if fate < 2 { throw ScriptedTransport.Unreachable() }
                if fate == 2 { return LongpressResponse(status: 503, headers: [:], body: Data()) }
                try service.accept(request)
                if fate < 6 { throw ScriptedTransport.Unreachable() }
                return LongpressResponse(status: 202, headers: [:], body: Data())
            }
            var bench = try bench(transport)
            bench.configuration.staticTypes = ["a", "b"]
            var client = bench.client()
            var tapped: [String: Int64] = [:]
            for _ in 0..<(1 + roll(20)) {
                switch roll(5) {
                case 0...2:
                    let type = roll(2) == 0 ? "a" : "b"
                    tapped[type, default: 0] += 1
                    _ = await client.resolve(QuickActionTap(type: type, userInfo: [:]))
                case 3:
                    bench.clock.advance(Double(roll(3600)))
                    await client.reportTaps()
                default: client = bench.client()
                }
            }
            isOver.withLock { $0 = true }
            bench.clock.advance(3600)
            await client.reportTaps()
            #expect(service.counts == tapped, "seed \(seed)")
        }
    }

    @Test func `damaged counts are as good as none`() throws {
        var taps = CountedTaps()
        taps.add(.init(audience: "default", item: "a", type: "t", version: "1.0.0", revision: 1, outcome: "current"))
        _ = taps.prepared(at: Timestamp(milliseconds: 1000))
        taps.add(.init(audience: "member", item: nil, type: "t", version: nil, revision: nil, outcome: "static"))
        taps.sentAt = Timestamp(milliseconds: 5)
        let file = taps.file
        #expect(CountedTaps(file) == taps)
        for length in 0..<file.count { #expect(CountedTaps(file.prefix(length)) == nil) }
    }
}
