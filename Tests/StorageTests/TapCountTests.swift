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

    private func told(since time: Timestamp = 0) throws -> [String] {
        try store.taps(of: app, since: time).kinds.map { kind, count in
            "\(kind.item?.description ?? "-") \(kind.tagVersion?.description ?? "-") \(kind.version?.description ?? "-") \(kind.outcome) \(count)"
        }
    }

    @Test func `batches add up, hours apart`() throws {
        try store.add([try taps("a", .replaced): 2, try taps("b", .current): 1])
        try store.add([try taps("a", .replaced): 3, try taps("a", .replaced, at: noon + .seconds(3600)): 4])
        #expect(try told() == ["a 1.0.0 2.0.0 replaced 9", "b 1.0.0 2.0.0 current 1"])
        let later = try store.taps(of: app, since: noon + .seconds(3600 + 1800))
        #expect(later.since == noon.hour + .seconds(3600) && later.outcomes == [.replaced: 4])
    }

    @Test func `a dropped id is told, one that nobody published is not`() throws {
        try store.add([try taps("a", .removed): 1, try taps("made-up", .removed): 2, try taps("also", .removed): 3])
        #expect(try told() == ["- - - removed 5", "a 1.0.0 2.0.0 removed 1"])
        try store.add([try taps("never-served", .retired): 1, try taps(nil, .static): 1])
        #expect(try told().filter { $0.hasSuffix("1") }.map { $0.prefix(2) } == ["- ", "a ", "ne"])
    }

    @Test func `an hour with too many kinds counts the rest together`() throws {
        var counts: [HourlyTaps: Int] = [:]
        for number in 1...(Store.maxKindsPerHour + 50) { counts[try taps("a", .changed, installed: "\(number)")] = 1 }
        try store.add(counts)
        try store.add(counts)
        #expect(try store.count("tap_counts") == Store.maxKindsPerHour + 1)
        #expect(try store.taps(of: app, since: 0).outcomes == [.changed: Int64(2 * counts.count)])
        #expect(try told().first == "- - - changed 100")
    }

    @Test func `an app that is gone takes its counts with it`() throws {
        try store.add([try taps("a", .replaced): 1])
        try store.deleteApp(app, by: author())
        try store.add([try taps("a", .replaced): 1])
        #expect(try store.count("tap_counts") == 0)
    }

    @Test func `old hours are forgotten step by step`() throws {
        for hour in 0..<600 { try store.add([try taps("a", .replaced, at: noon + .seconds(hour * 3600)): 1]) }
        let end = (noon + .seconds(550 * 3600)).hour
        let now = end + .seconds(180 * 24 * 3600)
        #expect(try store.prune(at: now, limit: 500).hasMore)
        #expect(try store.prune(at: now, limit: 500).removed == 50)
        let left = try store.count("tap_counts")
        #expect(left == 50)
    }
}
