import Foundation
import QuickActions
import Shortcuts
import Testing

@testable import Storage

@Suite(.eachEngine, .namingEngine) struct ReportedTapTests {
    private let bench: Workbench
    private let app: AppID
    private var store: Store { bench.store }
    private let week = Duration.seconds(7 * 24 * 3600)

    init() throws {
        bench = try Workbench()
        app = try bench.store.makeApp()
        try bench.store.publish(try shortcutSet("a", "b"), of: app)
        try bench.store.publish(try shortcutSet("a", retired: ["gone"]), of: app)
        try bench.store.publish(try shortcutSet("m"), of: app, audience: try #require(Audience("member")))
    }

    /// - Parameters:
    ///   - taps: `item count`, each with the outcome `current`.
    ///   - more: members of each entry.
    private func report(
        _ taps: [String], _ id: UUID = UUID(), from installed: String = "2.0", audience: String = "default", with more: String = ""
    ) throws -> TapReport {
        let entries = taps.map { tap in
            let parts = tap.split(separator: " ")
            return #"{"item": "\#(parts[0])", "type": "t", "outcome": "current", "count": \#(parts[1])\#(more)}"#
        }
        let text = #"{"batch": "\#(id)", "audience": "\#(audience)", "counts": [\#(entries.joined(separator: ","))]}"#
        let snapshot = try #require(try store.snapshot(of: app))
        return try TapReportDocument(try JSON(document: Array(text.utf8))).report(from: try version(installed), in: snapshot)
    }

    private func rows(by dimensions: Set<TapDimension> = []) throws -> [TapRow] {
        try store.taps(of: app, TapQuery(TapPeriod(since: 0), by: dimensions)).rows
    }

    private func reported() throws -> [String: Int64] {
        Dictionary(try rows().map { ($0.item?.description ?? "-", $0.totals.reported) }, uniquingKeysWith: +)
    }

    private func batches() throws -> Int { try store.count("tap_batches") }

    @Test func `a batch counts once, on every node and after a restart`() throws {
        let report = try report(["a 2", "b 3"])
        #expect(try !store.isCounted(report))
        #expect(try store.add(report, atMost: 100) == TapReport.Progress(added: 5, left: 0))
        for store in [store, try bench.reopened(), try bench.reopened()] {
            #expect(try store.add(report, atMost: 100) == TapReport.Progress(added: 0, left: 0) && store.isCounted(report))
        }
        #expect(try reported() == ["a": 2, "b": 3] && batches() == 1)
    }

    @Test func `another batch of the same id adds nothing`() throws {
        let id = UUID()
        _ = try store.add(try report(["a 2"], id), atMost: 100)
        #expect(try store.add(try report(["b 1000"], id), atMost: 1000).added == 0)
        #expect(try reported() == ["a": 2])
    }

    @Test func `two apps may have a batch of the same id`() throws {
        let id = UUID()
        let other = try store.makeApp("com.example.other")
        _ = try store.add(try report(["a 2"], id), atMost: 100)
        let snapshot = try #require(try store.snapshot(of: other))
        let text = #"{"batch": "\#(id)", "counts": [{"type": "t", "outcome": "static", "count": 4}]}"#
        let foreign = try TapReportDocument(try JSON(document: Array(text.utf8))).report(from: try version("1.0"), in: snapshot)
        #expect(try store.add(foreign, atMost: 100).added == 4)
        #expect(try reported() == ["a": 2])
    }

    @Test func `a batch above the limit counts bit by bit`() throws {
        let report = try report(["a 2", "b 3"])
        #expect(try store.add(report, atMost: 1) == TapReport.Progress(added: 1, left: 4))
        #expect(try store.add(report, atMost: 3) == TapReport.Progress(added: 3, left: 1) && !store.isCounted(report))
        #expect(try reported() == ["a": 2, "b": 2])
        #expect(try store.add(report, atMost: 3) == TapReport.Progress(added: 1, left: 0) && store.isCounted(report))
        #expect(try reported() == ["a": 2, "b": 3] && batches() == 1)
    }

    @Test func `the same batch at the same moment on several nodes counts once`() async throws {
        let stores = [store, try bench.reopened(), try bench.reopened()]
        for round in 1...20 {
            let report = try report(["a 2", "b 3"])
            let added = try await withThrowingTaskGroup(of: Int.self) { group in
                for store in stores + stores { group.addTask { try store.add(report, atMost: round.isMultiple(of: 2) ? 100 : 2).added } }
                return try await group.reduce(0, +)
            }
            #expect(added == 5)
        }
        #expect(try reported() == ["a": 40, "b": 60])
    }

    /// A client sends each batch until an answer arrives that says it is complete. Requests and answers get lost, a node restarts, the limit
    /// cuts batches anywhere, and others repeat old batches.
    @Test func `each tap counts exactly once in 1,000 random runs`() throws {
        var generator = SeededGenerator(seed: UInt64.random(in: 0...999_999))
        var nodes = [store, try bench.reopened()]
        var (sent, old): ([String: Int64], [TapReport]) = ([:], [])
        for run in 1...1000 {
            if run.isMultiple(of: 250) { nodes[Int.random(in: 0...1, using: &generator)] = try bench.reopened() }
            let taps = ["a", "b", "gone", "invented"].shuffled(using: &generator).prefix(Int.random(in: 1...4, using: &generator))
            let counts = taps.map { ($0, Int64.random(in: 1...40, using: &generator)) }
            for (item, count) in counts { sent[item == "invented" ? "-" : item, default: 0] += count }
            let id = UUID()
            var isAnswered = false
            while !isAnswered {
                // A repetition may have its entries in another order.
                let report = try report(counts.shuffled(using: &generator).map { "\($0) \($1)" }, id)
                let node = nodes[Int.random(in: 0...1, using: &generator)]
                switch Int.random(in: 0...3, using: &generator) {
                case 0: break  // The request is lost.
                case 1: _ = try node.add(report, atMost: Int.random(in: 1...100, using: &generator))  // The answer is lost.
                default: isAnswered = try node.add(report, atMost: Int.random(in: 1...100, using: &generator)).left == 0
                }
                if isAnswered { old.append(report) }
            }
            if let report = old.randomElement(using: &generator) { #expect(try nodes[0].add(report, atMost: 100).added == 0) }
            if run.isMultiple(of: 50) { #expect(try reported() == sent, "seed \(generator.seed), run \(run)") }
        }
        #expect(try reported() == sent && batches() == 1000, "seed \(generator.seed)")
    }

    @Test func `invented ids are counted together, and so are revisions and audiences`() throws {
        let invented = (1...50).map { "made-up-\($0) 1" }
        for number in [-1, 98, 99] {
            let more = #", "registeredBy": {"version": "2.0", "revision": \#(number)}"#
            _ = try store.add(try report(invented, audience: "guest\(number + 2)", with: more), atMost: 1000)
        }
        let rows = try rows(by: [.audience, .revision])
        #expect(rows.map(\.text) == ["- 2.0.0 2.0.0 current 150"])
        #expect(rows.map(\.audience) == [.default] && rows.map(\.revision) == [nil])
    }

    @Test func `ids that were ever published, replaced or retired have their own counts`() throws {
        _ = try store.add(try report(["a 1", "b 2", "gone 3", "never 4"]), atMost: 100)
        #expect(try reported() == ["a": 1, "b": 2, "gone": 3, "-": 4])
    }

    @Test func `versions are named as those of other taps are`() throws {
        for number in 1...(Store.maxOtherVersionsPerDay + 5) { _ = try store.add(try report(["a 1"], from: "7.0.\(number)"), atMost: 1) }
        #expect(try rows().count == Store.maxOtherVersionsPerDay + 1 && reported() == ["a": Int64(Store.maxOtherVersionsPerDay + 5)])
        _ = try store.putRelease(try release("3.0.0"), keepsAssets: false, of: app, by: author())
        let more = #", "registeredBy": {"version": "3.0.0+12", "revision": 2}"#
        _ = try store.add(try report(["a 500"], from: "8.0", with: more), atMost: 500)
        #expect(try rows().first?.text == "a 3.0.0 - current 500")
    }

    @Test func `rows are split by audience, revision and day on request`() throws {
        let kind = TapKind(
            app: app, audience: .default, revision: 1, item: ItemID("a"), tagVersion: try version("1.0"), version: try version("1.0"),
            outcome: .current)
        let hour = store.clock.now().hour
        for (number, time) in [hour, hour + .seconds(24 * 3600)].enumerated() {
            try store.add(TapBatch(writer: "w", number: Int64(number + 1), counts: [HourlyTaps(kind, at: time): 10]))
        }
        let registered = #", "registeredBy": {"version": "1.0", "revision": 1}"#
        _ = try store.add(try report(["a 3"], from: "1.0", with: registered), atMost: 100)
        _ = try store.add(try report(["a 4"], from: "1.0", audience: "member", with: registered), atMost: 100)

        func told(_ dimensions: Set<TapDimension>) throws -> [String] {
            try rows(by: dimensions).map { row in
                let day = row.day.map { "\(($0 - hour.day) / .seconds(24 * 3600))" } ?? "-"
                return "\(row.audience?.description ?? "-") \(row.revision ?? 0) \(day) \(row.totals.resolved)+\(row.totals.reported)"
            }
        }
        #expect(try told([]) == ["- 0 - 20+7"])
        #expect(try told([.audience]) == ["default 0 - 20+3", "member 0 - 0+4"])
        #expect(try told([.revision]) == ["- 1 - 20+7"])
        #expect(try told([.day]) == ["- 0 0.0 10+7", "- 0 1.0 10+0"])
        #expect(try told([.audience, .revision, .day]) == ["default 1 0.0 10+3", "default 1 1.0 10+0", "member 1 0.0 0+4"])
    }

    @Test func `what an older program counted is resolved by the service`() throws {
        let hour = store.clock.now().hour
        try store.database.write { connection throws(Failure) in
            for outcome in ["current", "removed"] {
                try connection.execute(
                    "INSERT INTO tap_counts (app, hour, item, tag_version, version, outcome, count) VALUES (?, ?, 'a', '1.0.0', '2.0.0', ?, 5)",
                    [SQLValue(app), SQLValue(hour), .text(outcome)])
            }
        }
        _ = try store.add(try report(["a 3"], with: #", "registeredBy": {"version": "1.0"}"#), atMost: 100)
        let statistics = try store.taps(of: app, TapQuery(TapPeriod(since: 0), bucket: .day))
        let totals: TapStatistics.Outcomes = [
            .current: TapTotals(resolved: 5, reported: 3), .removed: TapTotals(resolved: 5, reported: 0),
        ]
        #expect(statistics.outcomes == totals && statistics.buckets == [hour.day: totals])
        #expect(statistics.rows.map(\.text) == ["a 1.0.0 2.0.0 current 8", "a 1.0.0 2.0.0 removed 5"])
        #expect(try rows(by: [.audience]).map(\.audience) == [nil, nil, .default])
        _ = try store.prune(at: hour + .seconds(181 * 24 * 3600))
        #expect(try store.count("tap_counts") == 0 && store.count("tap_tallies") == 0)
    }

    @Test func `an hour with too many kinds drops audience and revision first`() throws {
        let audience = try #require(Audience("member"))
        func kind(_ revision: Int, _ item: String) throws -> TapKind {
            TapKind(
                app: app, audience: audience, revision: Int64(revision), item: ItemID(item), tagVersion: nil, version: nil,
                outcome: .changed)
        }
        var counts: [HourlyTaps: Int] = [:]
        let hour = store.clock.now()
        for revision in 1...Store.maxKindsPerHour { counts[HourlyTaps(try kind(revision, "a"), at: hour)] = 1 }
        try store.add(TapBatch(writer: "w", number: 1, counts: counts))
        let more = [1, Store.maxKindsPerHour + 1, Store.maxKindsPerHour + 2].map { ($0, "a") } + [(1, "b")]
        counts = Dictionary(uniqueKeysWithValues: try more.map { (HourlyTaps(try kind($0, $1), at: hour), 1) })
        try store.add(TapBatch(writer: "w", number: 2, counts: counts))
        #expect(try store.count("tap_tallies") == Store.maxKindsPerHour + 2)
        let rows = try rows(by: [.audience]).map { "\($0.audience?.description ?? "-") \($0.item?.description ?? "-") \($0.totals.all)" }
        #expect(rows == ["member a \(Store.maxKindsPerHour + 1)", "- a 2", "- b 1"])
        // Reported taps have their own limit.
        _ = try store.add(try report(["a 1"]), atMost: 1)
        #expect(try self.rows(by: [.audience]).contains { $0.audience == .default && $0.totals.reported == 1 })
    }

    @Test func `a batch is known for seven days`() throws {
        let report = try report(["a 2"])
        _ = try store.add(report, atMost: 100)
        let now = store.clock.now()
        _ = try store.prune(at: now + week + .seconds(-60))
        #expect(try store.add(report, atMost: 100).added == 0)
        _ = try store.prune(at: now + week + .seconds(60))
        #expect(try batches() == 0 && reported() == ["a": 2])
    }

    @Test func `an app that is deleted takes its batches with it`() throws {
        let report = try report(["a 2"])
        _ = try store.add(report, atMost: 100)
        try store.deleteApp(app, by: author())
        #expect(try batches() == 0 && store.count("tap_tallies") == 0)
        #expect { try store.add(report, atMost: 100) } throws: { ($0 as? Failure)?.code == .unknownApp }
        #expect(try batches() == 0)
    }
}

/// SplitMix64, so that a failed run can be repeated.
private struct SeededGenerator: RandomNumberGenerator {
    let seed: UInt64
    private var state: UInt64

    init(seed: UInt64) { (self.seed, state) = (seed, seed) }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
