import QuickActions
import Shortcuts
import Testing

@testable import Storage

@Suite(.eachEngine, .namingEngine) struct ActivityTests {
    private let bench: Workbench
    private var store: Store { bench.store }

    init() throws { bench = try Workbench() }

    private func tap(_ app: AppID, _ item: String, _ outcome: TapOutcome, _ count: Int, at time: Timestamp, installed: String = "1.0")
        throws
    {
        let kind = TapKind(
            app: app, item: ItemID(item), tagVersion: try version("1.0"), version: try version(installed), outcome: outcome)
        try store.add(
            TapBatch(writer: "\(app) \(item) \(time) \(outcome) \(installed)", number: 1, counts: [HourlyTaps(kind, at: time): count]))
    }

    private func listed(_ limit: Int, onlyAttention: Bool = false) throws -> [String] {
        var (names, cursor): ([String], String?) = ([], nil)
        repeat {
            let query = AppQuery(by: .attention, onlyAttention: onlyAttention)
            let page = try store.apps(PageRequest(limit: limit, cursor: cursor), matching: query, within: .all)
            names += page.items.map { String($0.id.description.dropFirst("com.example.".count)) }
            cursor = page.next
        } while cursor != nil
        return names
    }

    @Test(arguments: [1, 2, 100]) func `apps that need attention come first, then the most used, then by id`(limit: Int) throws {
        let now = StoppedClock().now()
        for name in ["idle", "used", "waiting", "losing", "also-idle"] { try store.makeApp("com.example.\(name)") }
        for name in ["used", "losing"] { try store.publish(try shortcutSet("a"), of: try appID("com.example.\(name)")) }
        try tap(try appID("com.example.used"), "a", .current, 50, at: now)
        try tap(try appID("com.example.losing"), "a", .removed, 2, at: now)
        let waiting = try appID("com.example.waiting")
        let change = DraftChange(version: try version("1.0"), audience: .default, writeCondition: .none)
        _ = try store.editDraft(.replacement(try shortcutSet("a")), change, of: waiting, by: author())
        _ = try store.review(change, try DraftReviewDocument(["state": "requested"]).checked(), of: waiting, by: author())
        #expect(try listed(limit) == ["losing", "waiting", "used", "also-idle", "idle"])
        #expect(try listed(limit, onlyAttention: true) == ["losing", "waiting"])
        let activity = try store.activity(of: [waiting, try appID("com.example.losing")], at: now)
        #expect(activity[waiting]?.drafts == 1)
        #expect(activity[try appID("com.example.losing")].map { [$0.taps, $0.lostTaps] } == [2, 2])
    }

    @Test func `taps of more than 30 days ago do not count, and neither do those of other apps`() throws {
        let now = StoppedClock().now() + .seconds(100 * 24 * 3600)
        let app = try store.makeApp()
        try store.publish(try shortcutSet("a"), of: app)
        try tap(app, "a", .removed, 5, at: now + .seconds(-32 * 24 * 3600))
        try tap(app, "a", .current, 3, at: now)
        #expect(try store.activity(of: [app], at: now)[app].map { [$0.taps, $0.lostTaps] } == [3, 0])
        #expect(try store.activity(of: [try appID("com.example.other")], at: now).isEmpty)
    }

    @Test func `items are ranked with their outcomes, versions and days`() throws {
        let day: Timestamp = 1_799_971_200_000
        let app = try store.makeApp()
        try store.publish(try shortcutSet("a", "b"), of: app)
        try tap(app, "a", .current, 2, at: day)
        try tap(app, "b", .current, 4, at: day)
        try tap(app, "b", .removed, 1, at: day + .seconds(24 * 3600))
        try tap(app, "made-up", .removed, 7, at: day)
        let ranking = try store.ranking(of: app, TapPeriod(since: day, until: day + .seconds(2 * 24 * 3600)))
        #expect(ranking.items.map { "\($0.item) \($0.count)" } == ["b 5", "a 2"] && ranking.other == 7)
        let json = ranking.json(until: day)
        #expect(
            String(decoding: json.encoded, as: UTF8.self).contains(
                #"{"item":"b","count":5,"lost":1,"outcomes":{"current":4,"removed":1},"versions":{"1.0.0":5},"byDay":[4,1]}"#))
    }

    @Test func `an icon is stored, replaced and deleted with its app`() throws {
        let app = try store.makeApp()
        func png(_ side: UInt8) throws -> AppIcon {
            try AppIcon([0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, side, 0, 0, 0, side])
        }
        let first = try store.putIcon(try png(1), of: app, by: author(), expecting: .none)
        #expect(first.isNew && first.app.icon != nil)
        #expect(try store.icon(of: app) == (try png(1).png))
        #expect(try !store.putIcon(try png(2), of: app, by: author(), expecting: .none).isNew)
        #expect(try store.app(app)?.icon == (try png(2).tag))
        #expect(failureCode { _ = try png(0) } == .invalidDocument)
        let exported = try store.exported()
        let other = try Workbench()
        try other.store.importArchive(try ArchiveDocument(exported).checked(), replacing: false, dryRun: false, by: author())
        #expect(try other.store.icon(of: app) == (try png(2).png) && other.store.exported() == exported)
        #expect(try store.putIcon(nil, of: app, by: author(), expecting: .none).app.icon == nil)
        #expect(try store.icon(of: app) == nil)
    }
}
