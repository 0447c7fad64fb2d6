import Dispatch
import HTTP
import QuickActions
import Shortcuts
import Synchronization
import Testing

@testable import API

struct LiveEventsTests {
    private let live = LiveEvents()
    private let address = PublicAddress("https://menus.example.com/")

    private func entries(_ numbers: ClosedRange<Int64>) throws -> [StreamEntry] {
        let app = try #require(AppID("com.example.notes"))
        return numbers.map { StreamEntry(position: StreamPosition(number: $0, tag: "t\($0)"), app: app, change: .app(revision: $0)) }
    }

    @Test func `an event is one line of data under its id`() throws {
        let app = try #require(AppID("com.example.notes"))
        let change = StreamEntry.Change.set(
            revision: 42, try #require(Audience("member")), from: try #require(AppVersion("2")), until: AppVersion("3.0"))
        let entry = StreamEntry(position: StreamPosition(number: 7, tag: "abc"), app: app, change: change)
        #expect(
            String(decoding: entry.text(at: address), as: UTF8.self) == """
                id: abc.7
                event: changed
                data: {"app":"com.example.notes","revision":42,"audience":"member","from":"2.0.0","until":"3.0.0",\
                "url":"https://menus.example.com/v1/apps/com.example.notes/versions/2.0.0/shortcuts?audience=member&revision=42"}


                """)
    }

    @Test func `the newest events are in memory, and who needs older ones is told so`() throws {
        live.restart(at: StreamPosition(number: 10, tag: "t10"))
        let recent = live.recent
        #expect(recent.events(after: 10)?.events.isEmpty == true && recent.events(after: 9) == nil)
        _ = live.publish(try entries(11...2000), at: address)
        #expect(recent.events(after: 1998)?.events.map(\.number) == [1999, 2000])
        #expect(recent.events(after: 1998)?.position == 2000)
        #expect(recent.events(after: 2000 - 1024)?.events.count == 1024)
        #expect(recent.events(after: 2000 - 1025) == nil)
        #expect(live.hasRecent(tag: "t2000") && !live.hasRecent(tag: "t11"))
    }

    @Test func `numbers of before a restart mean nothing after it`() throws {
        _ = live.publish(try entries(1...5), at: address)
        let recent = live.recent
        live.restart(at: StreamPosition(number: 2, tag: "other"))
        #expect(recent.events(after: 5) == nil)
        #expect(live.recent.events(after: 2)?.events.isEmpty == true)
    }

    @Test func `a stream that restarts the numbers is read again`() throws {
        let opener = StreamOpener(store: Journal(), live: live, address: address, news: Restart(live: live))
        let stream = try opener.open(["com.example.notes"], for: Request(.get, "/v1/stream")).stream
        #expect(stream?.recent.isCurrent == true && stream?.position == 7)
        #expect(stream?.recent.events(after: 7)?.events.isEmpty == true)
    }

    /// Its last entry is the seventh.
    private struct Journal: StreamStore {
        func streamPosition() -> StreamPosition { StreamPosition(number: 7, tag: "t7") }
        func streamEntries(after position: StreamPosition, limit: Int) -> [StreamEntry]? { nil }

        func streamBeginning(of apps: [AppID], after position: StreamPosition?, limit: Int) -> StreamBeginning {
            StreamBeginning(last: streamPosition(), revisions: [apps[0]: 1], missed: position == nil ? nil : [])
        }
    }

    private struct Restart: StreamNews {
        let live: LiveEvents
        func wake() { live.restart(at: StreamPosition(number: 7, tag: "t7")) }
        func catchUp() {}
    }

    @Test func `a restart ends the open streams before who waits for its position goes on`() throws {
        var position: Int64?
        live.restart(at: StreamPosition(number: 10, tag: "t10")) { position = live.position.number }
        #expect(position == 0 && live.position.number == 10)
    }

    @Test func `who waits for an entry goes on when it is served`() throws {
        let done = DispatchGroup()
        let outcomes = Mutex<[Bool]>([])
        for number: Int64 in [1, 2, 3, 3] {
            DispatchQueue.global().async(group: done) { [live] in
                let isServed = live.wait(for: number, atMost: .seconds(60))
                outcomes.withLock { $0.append(isServed) }
            }
        }
        _ = live.publish(try entries(1...2), at: address)
        _ = live.publish(try entries(3...3), at: address)
        done.wait()
        #expect(outcomes.withLock { $0 } == [true, true, true, true])
        #expect(!live.wait(for: 4, atMost: .milliseconds(1)))
    }

    @Test func `events are wanted while somebody is interested`() {
        #expect(!live.isWanted)
        let first = live.newInterest()
        do {
            let second = live.newInterest()
            withExtendedLifetime(second) { #expect(live.isWanted) }
        }
        withExtendedLifetime(first) { #expect(live.isWanted) }
    }
}
