import HTTP
import QuickActions
import Shortcuts
import Synchronization
import Testing

@testable import API

@Suite struct CachePolicyTests {
    /// 2027-01-15.
    private static let now: Int64 = 1_800_000_000_000
    private static let day = 86_400

    /// `left`: milliseconds until the scheduled publish.
    @Test(arguments: [
        (365 * 86_400_000, 60, true, true), (86_465_001, 60, true, true), (86_465_000, 60, true, false), (86_460_001, 60, true, false),
        (86_460_000, 60, false, true), (65_001, 60, false, true), (65_000, 60, false, false), (60_000, 60, false, false),
        (59_999, 59, false, false), (999, 0, false, false), (0, 0, false, false), (-5_000, 0, false, false),
    ])
    func `no answer is served past a scheduled publish, and none says less than it may`(
        _ left: Int64, _ maxAge: Int, _ mayBeServedStale: Bool, _ mayBeKept: Bool
    ) {
        let moment = CachePolicy().at(Timestamp(milliseconds: Self.now), nextPublish: Timestamp(milliseconds: Self.now + left))
        #expect((moment.maxAge, moment.mayBeServedStale, moment.mayBeKept) == (maxAge, mayBeServedStale, mayBeKept))
        let stale = mayBeServedStale ? "stale-while-revalidate=86400, " : ""
        #expect(moment.ofMenu == "public, max-age=\(maxAge), \(stale)stale-if-error=604800")
    }

    @Test func `without a schedule nothing is left out`() {
        let moment = CachePolicy().at(Timestamp(milliseconds: Self.now), nextPublish: nil)
        #expect(moment.ofMenu == "public, max-age=60, stale-while-revalidate=86400, stale-if-error=604800" && moment.mayBeKept)
    }

    /// An adjustable clock, and an app with a publish at `due`. `drop` stands in for the scheduler.
    @Test func `what is cached long before says what it may say until the window, and then less`() throws {
        let due = Timestamp(milliseconds: Self.now)
        let (clock, app, store) = (SetClock(), try #require(AppID("a.b")), SharedStore())
        let rendered = SharedCache()
        let routes = ClientRoutes(apps: store, taps: NoTaps(), reports: NoTaps(), policy: CachePolicy(), cache: rendered, clock: clock)
        let router = Router(routes.routes, failure: unrouted)
        let english = try #require(LanguageTag("en"))
        let json = try JSON(document: Array(#"{"items": [{"id": "a", "type": "t", "title": {"en": "A"}}]}"#.utf8))
        let set = PublishedSet(
            version: try #require(AppVersion("1.0")), revision: 1, publishedAt: Timestamp(milliseconds: 0), by: "ci",
            set: try ShortcutSetDocument(json, defaultLanguage: english).checked())
        store.put(
            AppSnapshot(
                app: App(id: app, name: nil, defaultLanguage: english, fallbackURL: nil),
                timelines: [.default: Timeline(audience: .default, sets: [set])], releases: [], nextPublish: due, lastRevision: 1))

        func fetch(_ left: Int) throws -> String? {
            clock.time.withLock { $0 = due + .seconds(-left) }
            let path = "/v1/apps/a.b/versions/1.0.0/shortcuts"
            return router.respond(to: try Request(.get, path)).fields.first("Cache-Control")
        }
        let (whole, clipped) = (
            "public, max-age=60, stale-while-revalidate=86400, stale-if-error=604800", "public, max-age=60, stale-if-error=604800"
        )
        #expect(try fetch(3 * Self.day) == whole)
        #expect(try fetch(2 * Self.day) == whole && store.asked.reads == 1)
        rendered.drop(app)
        // Within the margin: correct now, and too late to be cached.
        #expect(try fetch(Self.day + 64) == whole && store.asked.reads == 2)
        #expect(try fetch(Self.day + 60) == clipped && store.asked.reads == 3)
        #expect(try fetch(3_600) == clipped && store.asked.reads == 3)
        rendered.drop(app)
        #expect(try fetch(20) == "public, max-age=20, stale-if-error=604800")
        #expect(try fetch(10) == "public, max-age=10, stale-if-error=604800")
    }
}

private final class SetClock: WallClock {
    let time = Mutex(Timestamp(milliseconds: 0))

    func now() -> Timestamp { time.withLock(\.self) }
}
