import Foundation
import QuickActions
import Testing

@testable import LongpressKit
@testable import Shortcuts

@Suite struct FirstTapTests {
    /// The candidate of a roll-out to everyone.
    private func running(_ rollout: RolloutID, to threshold: Int = 10_000) throws -> AppSnapshot {
        let items = #"{"items": [{"id": "new", "type": "t.new", "title": {"en": "New!"}, "replaces": ["old"], "url": "notes://new"}]}"#
        return try notes().rollingOut(items, as: rollout, to: threshold)
    }

    /// A bench whose service accepts every report.
    private func bench(_ snapshot: AppSnapshot) throws -> Bench {
        var bench = try Bench(.offline)
        bench.configuration.countsTaps = true
        serve(snapshot, bench)
        return bench
    }

    private func serve(_ snapshot: AppSnapshot, _ bench: Bench) {
        let service = DomainService(snapshot: snapshot)
        bench.transport.answer { request in
            guard request.url.lastPathComponent == "counts" else { return service.answer(request) }
            return LongpressResponse(status: 202, headers: [:], body: Data())
        }
        bench.clock.advance(3600)
    }

    /// `rollout count` of each entry of each report, ascending.
    private func reported(_ bench: Bench) throws -> [String] {
        let bodies = bench.transport.requests.filter { $0.url.lastPathComponent == "counts" }.compactMap(\.body)
        return try bodies.flatMap { body in
            try JSON(document: Array(body))["counts"]?.asElements ?? []
        }.map { entry in
            let rollout = entry["rollout"].map { String(decoding: $0.encoded, as: UTF8.self) } ?? "-"
            return "\(rollout) \(entry["count"]?.asInteger ?? 0)"
        }.sorted()
    }

    private func tapped(_ client: LongpressClient, _ snapshot: AppSnapshot, _ count: Int = 1) async throws {
        for _ in 0..<count { _ = await client.resolve(try tap("old", at: "1.0", in: snapshot)) }
    }

    @Test func `counts have the arm, and the first tap of a roll-out the threshold, once`() async throws {
        let snapshot = try notes()
        let bench = try bench(snapshot)
        let client = bench.client()
        _ = try await client.refresh()
        try await tapped(client, snapshot)
        serve(try running("r1", to: 10_000), bench)
        _ = try await client.refresh()
        try await tapped(client, snapshot, 2)
        // A restart, a report, another restart.
        try await tapped(bench.client(), snapshot)
        await bench.client().reportTaps()
        try await tapped(bench.client(), snapshot)
        // Another share, and the candidate of another roll-out.
        serve(try running("r1", to: 0), bench)
        _ = try await client.refresh()
        try await tapped(client, snapshot)
        serve(try running("r2"), bench)
        _ = try await client.refresh()
        try await tapped(client, snapshot, 3)
        bench.clock.advance(3600)
        await client.reportTaps()
        #expect(
            try reported(bench) == [
                "- 1", #"{"id":"r1","arm":"candidate","threshold":10000} 1"#, #"{"id":"r1","arm":"candidate"} 1"#,
                #"{"id":"r1","arm":"candidate"} 2"#, #"{"id":"r1","arm":"control"} 1"#,
                #"{"id":"r2","arm":"candidate","threshold":10000} 1"#, #"{"id":"r2","arm":"candidate"} 2"#,
            ])
    }

    @Test func `the threshold is the one of the shown menu`() async throws {
        let bench = try bench(try running("r1", to: 0))
        let client = bench.client()
        _ = try await client.refresh()
        serve(try running("r1", to: 10_000), bench)
        try await tapped(client, try notes())
        await client.reportTaps()
        #expect(try reported(bench) == [#"{"id":"r1","arm":"control","threshold":0} 1"#])
    }

    @Test func `of two processes with one storage, one reports the first tap, and no tap is lost`() async throws {
        let bench = try bench(try running("r1"))
        let (app, share) = (bench.client(), bench.client())
        _ = try await share.refresh()
        _ = try await app.refresh()
        for _ in 0..<3 {
            try await tapped(app, try notes())
            try await tapped(share, try notes())
        }
        await share.reportTaps()
        bench.clock.advance(3600)
        await app.reportTaps()
        #expect(
            try reported(bench) == [#"{"id":"r1","arm":"candidate","threshold":10000} 1"#, #"{"id":"r1","arm":"candidate"} 5"#])
    }

    @Test func `a storage that cannot be written loses no tap of this launch`() async throws {
        let bench = try bench(try running("r1"))
        let client = LongpressClient(
            bench.configuration, bundled: nil, storage: .directory(URL(filePath: "/dev/null/longpress")), transport: bench.transport,
            environment: bench.clock.environment)
        _ = try await client.refresh()
        try await tapped(client, try notes(), 3)
        await client.reportTaps()
        #expect(
            try reported(bench) == [#"{"id":"r1","arm":"candidate","threshold":10000} 1"#, #"{"id":"r1","arm":"candidate"} 2"#])
    }

    @Test func `a tap on a draft is not the first one`() async throws {
        let bench = try bench(try running("r1"))
        let client = bench.client()
        _ = try await client.refresh()
        let draft = try tap("new", at: "2.0", in: try notes())
        _ = await client.resolve(
            QuickActionTap(type: draft.type, userInfo: draft.userInfo.merging(["longpress.revision": .integer(0)]) { $1 }))
        try await tapped(client, try notes())
        await client.reportTaps()
        #expect(try reported(bench) == ["- 1", #"{"id":"r1","arm":"candidate","threshold":10000} 1"#])
    }

    @Test func `taps that the service counts report no first tap`() async throws {
        var bench = try bench(try running("r1"))
        bench.configuration.countsTaps = false
        let client = bench.client()
        _ = try await client.refresh()
        // Only the service can trace an id of a later version back.
        _ = await client.resolve(try tap("newest", at: "3.0", in: try notes()))
        await client.reportTaps()
        #expect(bench.transport.asked == ["shortcuts", "bundle", "taps"])
        let body = try JSON(document: Array(bench.transport.requests.last?.body ?? Data()))
        #expect(body["rollout"]?["threshold"] == nil && body["rollout"]?["arm"] != nil && body["counted"] == nil)
    }

    @Test func `the id of the installation is made once, is random, and is in no request`() async throws {
        var ids: Set<String> = []
        for _ in 0..<20 {
            let bench = try bench(try running("r1", to: 5000))
            var made: Set<String> = []
            for (rollout, threshold) in [("r1", 5000), ("r1", 7000), ("r2", 10_000)] {
                serve(try running(RolloutID(rollout), to: threshold), bench)
                let client = bench.client()
                _ = try await client.refresh()
                try await tapped(client, try notes())
                _ = await client.resolve(try tap("newest", at: "3.0", in: try notes()))
                await client.reportTaps()
                made.insert(bench.storage.load("\(appID).installation").flatMap { InstallationID($0) }?.digits ?? "")
            }
            let id = try #require(made.first)
            #expect(made.count == 1 && id.count == 32 && id.allSatisfy { "0123456789abcdef".contains($0) })
            ids.insert(id)
            #expect(Set(bench.transport.asked) == ["shortcuts", "bundle", "taps", "counts"])
            for request in bench.transport.requests {
                let sent = "\(request.url) \(request.headers) \(String(decoding: request.body ?? Data(), as: UTF8.self))"
                #expect(!sent.contains(id))
            }
        }
        #expect(ids.count == 20)
    }
}
