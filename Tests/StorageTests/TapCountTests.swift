import Foundation
import QuickActions
import Shortcuts
import Testing

@testable import Storage

@Suite(.eachEngine, .namingEngine) struct TapCountTests {
    private let bench: Workbench
    private let app: AppID
    private var store: Store { bench.store }
    private let noon: Timestamp = 1_800_000_000_000

    init() throws {
        bench = try Workbench()
        app = try bench.store.makeApp()
        try bench.store.publish(try shortcutSet("a"), of: app)
        try bench.store.publish(try shortcutSet("b"), of: app)
    }

    private func taps(
        _ item: String?, _ outcome: TapOutcome, installed: String = "2.0", at time: Timestamp? = nil
    ) throws -> HourlyTaps {
        let kind = TapKind(
            app: app, item: item.flatMap { ItemID($0) }, tagVersion: item == nil ? nil : try version("1.0"),
            version: try version(installed), outcome: outcome)
        return HourlyTaps(kind, at: time ?? noon)
    }

    private func add(_ counts: [HourlyTaps: Int], _ number: Int64 = 1, by writer: String = UUID().uuidString) throws {
        try store.add(TapBatch(writer: writer, number: number, counts: counts))
    }

    private func statistics(since: Timestamp = 0, until: Timestamp? = nil, by length: TapBucketLength? = nil) throws -> TapStatistics {
        try store.taps(of: app, TapQuery(TapPeriod(since: since, until: until), bucket: length))
    }

    private func told(since time: Timestamp = 0) throws -> [String] { try statistics(since: time).rows.map(\.text) }

    /// The taps of each outcome, which the service has counted.
    private func outcomes(since: Timestamp = 0, until: Timestamp? = nil) throws -> [TapOutcome: Int64] {
        let statistics = try statistics(since: since, until: until)
        #expect(statistics.outcomes.values.allSatisfy { $0.reported == 0 })
        return statistics.outcomes.mapValues(\.all)
    }

    @Test func `batches add up, hours apart`() throws {
        try add([try taps("a", .replaced): 2, try taps("b", .current): 1])
        try add([try taps("a", .replaced): 3, try taps("a", .replaced, at: noon + .seconds(3600)): 4])
        #expect(try told() == ["a 1.0.0 2.0.0 replaced 9", "b 1.0.0 2.0.0 current 1"])
        let later = try statistics(since: noon + .seconds(3600 + 1800))
        #expect(later.query.period.since == noon.hour + .seconds(3600) && later.outcomes[.replaced]?.all == 4)
    }

    @Test func `a dropped id is told, one that nobody published is not`() throws {
        try add([try taps("a", .removed): 1, try taps("made-up", .removed): 2, try taps("also", .removed): 3])
        #expect(try told() == ["- - - removed 5", "a 1.0.0 2.0.0 removed 1"])
        try add([try taps("never-served", .retired): 1, try taps(nil, .static): 1])
        #expect(try told().filter { $0.hasSuffix("1") }.map { $0.prefix(2) } == ["- ", "a ", "ne"])
    }

    @Test func `an hour with too many kinds counts the rest together`() throws {
        var counts: [HourlyTaps: Int] = [:]
        for number in 1...(Store.maxKindsPerHour + 50) { counts[try taps("x\(number)", .changed)] = 1 }
        try add(counts)
        try add(counts)
        #expect(try store.count("tap_tallies") == Store.maxKindsPerHour + 1)
        #expect(try outcomes() == [.changed: Int64(2 * counts.count)])
        #expect(try told().first == "- - - changed 100")
    }

    @Test func `an app that is removed takes its counts with it`() throws {
        try add([try taps("a", .replaced): 1])
        try store.deleteApp(app, by: author())
        try add([try taps("a", .replaced): 1])
        #expect(try store.count("tap_tallies") == 0)
    }

    @Test func `old hours are forgotten step by step`() throws {
        for hour in 0..<600 { try add([try taps("a", .replaced, at: noon + .seconds(hour * 3600)): 1], Int64(hour), by: "one") }
        let end = (noon + .seconds(550 * 3600)).hour
        let now = end + .seconds(180 * 24 * 3600)
        #expect(try store.prune(at: now, limit: 500).hasMore)
        #expect(try store.prune(at: now, limit: 500).removed == 50)
        let left = try store.count("tap_tallies")
        #expect(left == 50)
    }

    @Test func `a batch that is repeated is counted once, whatever others count meanwhile`() throws {
        try add([try taps("a", .replaced): 2], 1, by: "one")
        try add([try taps("a", .replaced): 2], 1, by: "one")
        try add([try taps("a", .replaced): 5], 1, by: "another")
        try add([try taps("a", .replaced): 3], 2, by: "one")
        try add([try taps("a", .replaced): 2], 1, by: "one")
        #expect(try outcomes() == [.replaced: 10])
        #expect(try store.count("tap_writers") == 2)
        let week = store.clock.now() + .seconds(7 * 24 * 3600)
        _ = try store.prune(at: week + .seconds(-60))
        #expect(try store.count("tap_writers") == 2)
        _ = try store.prune(at: week + .seconds(60))
        #expect(try store.count("tap_writers") == 0)
    }

    @Test func `versions that an app with releases does not know are counted together`() throws {
        _ = try store.putRelease(try release("2.0.0+7"), keepsAssets: false, of: app, by: author())
        var counts: [HourlyTaps: Int] = [:]
        for number in 1...300 { counts[try taps("a", .replaced, installed: "7.0.\(number)")] = 1 }
        try add(counts)
        try add([try taps("a", .replaced): 2, try taps("a", .replaced, installed: "1.0.0"): 1])
        // 1.0.0 is the version of a set.
        #expect(try told() == ["a 1.0.0 - replaced 300", "a 1.0.0 2.0.0 replaced 2", "a 1.0.0 1.0.0 replaced 1"])
        #expect(try outcomes() == [.replaced: 303])
    }

    @Test func `without releases the first versions of a day are counted by themselves`() throws {
        var counts: [HourlyTaps: Int] = [:]
        let limit = Store.maxOtherVersionsPerDay
        for number in 1...limit { counts[try taps("a", .replaced, installed: "7.0.\(number)")] = 1 }
        try add(counts)
        try add([try taps("a", .replaced, installed: "8.0"): 1, try taps("a", .replaced, installed: "9.0", at: noon + .seconds(3600)): 1])
        try add([try taps("a", .replaced, installed: "7.0.1"): 1, try taps("a", .replaced, installed: "1.0"): 1])
        try add([try taps("a", .replaced, installed: "8.0", at: noon + .seconds(24 * 3600)): 5])
        let told = try told()
        #expect(told.count == limit + 3)
        #expect(
            Set(["a 1.0.0 8.0.0 replaced 5", "a 1.0.0 - replaced 2", "a 1.0.0 7.0.1 replaced 2", "a 1.0.0 1.0.0 replaced 1"]).isSubset(
                of: told))
    }

    @Test func `buckets begin at the hour or at midnight, and the period ends before until`() throws {
        let midnight = noon.day
        for hour in [0, 1, 1, 23, 24, 47, 48] {
            try add([try taps("a", hour == 1 ? .current : .replaced, at: midnight + .seconds(hour * 3600 + 59)): 1])
        }
        func buckets(_ length: TapBucketLength, _ since: Int, _ until: Int?) throws -> [Int64: [TapOutcome: Int64]]? {
            let statistics = try statistics(
                since: midnight + .seconds(since * 3600), until: until.map { midnight + .seconds($0 * 3600) }, by: length)
            return statistics.buckets.map { buckets in
                Dictionary(
                    uniqueKeysWithValues: buckets.map { (($0.key - midnight).inMilliseconds / 3_600_000, $0.value.mapValues(\.all)) })
            }
        }
        #expect(try buckets(.hour, 0, 24) == [0: [.replaced: 1], 1: [.current: 2], 23: [.replaced: 1]])
        #expect(try buckets(.day, 0, nil) == [0: [.replaced: 2, .current: 2], 24: [.replaced: 2], 48: [.replaced: 1]])
        // A day is cut at the limits of the period.
        #expect(try buckets(.day, 23, 25) == [0: [.replaced: 1], 24: [.replaced: 1]])
        #expect(try buckets(.hour, 100, nil) == [:])
        #expect(try outcomes(until: midnight + .seconds(3601)) == [.replaced: 1, .current: 2])
        #expect(try outcomes(until: midnight + .seconds(3600)) == [.replaced: 1])
        #expect(try statistics().buckets == nil)
    }
}

extension TapRow {
    /// `a 1.0.0 2.0.0 replaced 3`
    var text: String {
        "\(item?.description ?? "-") \(tagVersion?.description ?? "-") \(version?.description ?? "-") \(outcome) \(totals.all)"
    }
}
