import API
import HTTP
import Logging
import Platform
import QuickActions
import Shortcuts
import Synchronization
import Testing

@testable import Service

/// Which entries of the journal are sent, and when.
@Suite struct StreamFeedTests {
    private let journal = Journal()
    private let streams = Streams()
    private let drops = Drops()
    private let feed: StreamFeed

    init() throws {
        journal.append(3)
        feed = StreamFeed(
            of: journal, to: streams, at: PublicAddress("https://menus.example.com"),
            on: SerialThread("test", isBackground: false), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            checkForCommits: {},
            dropAnswers: { [drops, journal] in drops.note(journal.reads) })
        try feed.start()
    }

    /// Follows the announced entries, and waits for that.
    private func follow() {
        feed.wake()
        feed.waitUntilIdle()
    }

    @Test func `entries are sent up to the one that was announced, and no further`() {
        journal.append(5)
        feed.advance(to: "t6")
        follow()
        #expect(streams.sent == [4, 5, 6] && feed.live.position.number == 6)
        follow()
        #expect(streams.sent == [4, 5, 6])
        feed.advance(to: "t8")
        follow()
        #expect(streams.sent == [4, 5, 6, 7, 8] && streams.restarts == 0 && drops.count == 0)
    }

    @Test func `the last announcement is enough, however many entries it is about`() {
        journal.append(1200)
        for number in 4...1203 { feed.advance(to: "t\(number)") }
        follow()
        #expect(streams.sent == Array(4...1203) && streams.restarts == 0)
    }

    @Test func `nothing is read while nobody wants it`() {
        journal.append(1)
        let before = journal.reads
        feed.advance(to: "t4")
        feed.waitUntilIdle()
        #expect(journal.reads == before && streams.sent.isEmpty)
    }

    @Test func `where anything may have changed, the answers are dropped after the end was read and before anything is sent`() {
        journal.append(2)
        feed.advanceAnywhere()
        follow()
        #expect(streams.sent == [4, 5] && drops.count == 1)
        #expect(drops.readsBefore.first == 2)  // `start`, and the end of the journal
    }

    @Test func `an entry that was announced and is not there has everything looked at`() {
        journal.append(2)
        feed.advance(to: "nobody's")
        follow()
        #expect(streams.sent == [4, 5] && drops.count == 1)
    }

    @Test func `what was told because anything may have changed is not looked for again`() {
        journal.append(2)
        feed.advanceAnywhere()
        follow()
        feed.advance(to: "t5")
        follow()
        #expect(streams.sent == [4, 5] && drops.count == 1)
    }

    @Test(arguments: [(1, "other"), (9, "other")])
    func `streams are ended where the journal is another one`(_ entries: Int, _ life: String) {
        journal.replace(by: entries, tag: life)
        feed.advanceAnywhere()
        follow()
        #expect(
            streams.sent.isEmpty && streams.restarts == 1
                && feed.live.position == StreamPosition(number: Int64(entries), tag: "\(life)\(entries)"))
        journal.append(1, tag: life)
        feed.advance(to: "\(life)\(entries + 1)")
        follow()
        #expect(streams.sent == [Int64(entries) + 1] && streams.restarts == 1)
    }

    @Test func `streams are ended where the entries have been pruned`() {
        journal.append(5)
        journal.prune(before: 6)
        feed.advance(to: "t8")
        follow()
        #expect(streams.restarts == 1 && feed.live.position.number == 8)
    }
}

private final class Drops: Sendable {
    private let reads = Mutex<[Int]>([])

    func note(_ count: Int) { reads.withLock { $0.append(count) } }

    var count: Int { reads.withLock(\.count) }
    var readsBefore: [Int] { reads.withLock { $0 } }
}

private final class Streams: StreamServer {
    private let state = Mutex<(sent: [Int64], restarts: Int)>(([], 0))

    var sent: [Int64] { state.withLock(\.sent) }
    var restarts: Int { state.withLock(\.restarts) }

    func send(_ events: [StreamedEvent]) { state.withLock { $0.sent += events.map(\.number) } }
    func restartStreams() { state.withLock { $0.restarts += 1 } }
    func endStreamsWithoutAccess() {}
}

/// A journal in memory.
private final class Journal: StreamStore {
    private let state = Mutex<(entries: [StreamPosition], reads: Int)>(([StreamPosition(number: 0, tag: "t0")], 0))

    var reads: Int { state.withLock(\.reads) }

    func append(_ count: Int, tag: String = "t") {
        state.withLock { state in
            for _ in 0..<count {
                let number = (state.entries.last?.number ?? 0) + 1
                state.entries.append(StreamPosition(number: number, tag: "\(tag)\(number)"))
            }
        }
    }

    func replace(by count: Int, tag: String) {
        state.withLock { $0.entries = [StreamPosition(number: 0, tag: "\(tag)0")] }
        append(count, tag: tag)
    }

    func prune(before number: Int64) { state.withLock { $0.entries.removeAll { $0.number < number } } }

    func streamPosition() -> StreamPosition {
        state.withLock { state in
            state.reads += 1
            return state.entries.last ?? StreamPosition(number: 0, tag: "")
        }
    }

    func streamEntries(after position: StreamPosition, limit: Int) -> [StreamEntry]? {
        state.withLock { state in
            state.reads += 1
            guard let index = state.entries.firstIndex(of: position), let app = AppID("com.example.notes") else { return nil }
            return state.entries[(index + 1)...].prefix(limit).map {
                StreamEntry(position: $0, app: app, change: .app(revision: $0.number))
            }
        }
    }

    func streamBeginning(of apps: [AppID], after position: StreamPosition?, limit: Int) throws(Failure) -> StreamBeginning {
        throw Failure(.storageUnavailable, "Nothing begins here.")
    }
}
