import Logging
import Platform
import QuickActions
import Shortcuts
import Synchronization
import Testing

@testable import Service

@Suite struct TapBufferTests {
    private let store = Kept()
    private let metrics = Metrics()
    private let clock = SystemClock()

    private var buffer: TapBuffer {
        TapBuffer(
            store: store, writer: "w", on: SerialThread("lp-upkeep", isBackground: false), outcomes: metrics.taps, clock: clock,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func kind(_ installed: Int, _ outcome: TapOutcome = .replaced) throws -> TapKind {
        TapKind(
            app: try #require(AppID("com.example")), item: ItemID("a"), tagVersion: AppVersion("1.0"),
            version: AppVersion("\(installed)"), outcome: outcome)
    }

    @Test func `writes nothing until it is flushed, then one batch`() throws {
        let buffer = buffer
        for _ in 0..<3 { buffer.count(try kind(1)) }
        buffer.count(try kind(2, .current))
        #expect(store.all.isEmpty)
        buffer.flush()
        buffer.flush()
        #expect(store.all.map { $0.values.sorted() } == [[1, 3]])
        #expect(metrics.taps[.replaced]?.value == 3 && metrics.taps[.current]?.value == 1)
    }

    @Test func `keeps the counts of a batch that could not be written`() throws {
        let buffer = buffer
        buffer.count(try kind(1))
        store.fails.store(true, ordering: .relaxed)
        buffer.flush()
        buffer.count(try kind(1))
        store.fails.store(false, ordering: .relaxed)
        buffer.flush()
        #expect(store.all.flatMap(\.values) == [1, 1])
    }

    /// The store has written the batch, but its answer was lost.
    @Test func `repeats a batch as it was, under its number`() throws {
        let buffer = buffer
        buffer.count(try kind(1))
        store.losesAnswers.store(true, ordering: .relaxed)
        buffer.flush()
        buffer.count(try kind(1))
        buffer.count(try kind(2))
        buffer.flush()
        store.losesAnswers.store(false, ordering: .relaxed)
        buffer.flush()
        #expect(store.given.map(\.number) == [1, 1, 1, 2])
        #expect(Set(store.given.prefix(3).map(\.counts)).count == 1)
        #expect(store.all.map { $0.values.sorted() } == [[1], [1, 1]])
    }

    @Test func `bounds the number of kinds`() throws {
        let buffer = buffer
        for installed in 1...10_500 { buffer.count(try kind(installed)) }
        buffer.flush()
        #expect(store.all.map(\.count) == [10_001])
        #expect(store.all.flatMap(\.values).max() == 500)
    }
}

/// Counts each batch once.
private final class Kept: TapStore {
    private let batches = Mutex<[TapBatch]>([])
    let fails = Atomic(false)
    let losesAnswers = Atomic(false)

    /// Includes repetitions.
    var given: [TapBatch] { batches.withLock(\.self) }

    var all: [[HourlyTaps: Int]] {
        given.reduce(into: [Int64: [HourlyTaps: Int]]()) { $0[$1.number] = $1.counts }.sorted { $0.key < $1.key }.map(\.value)
    }

    func add(_ batch: TapBatch) throws(Failure) {
        if fails.load(ordering: .relaxed) { throw Failure(.storageUnavailable, "The disk is full.") }
        batches.withLock { $0.append(batch) }
        if losesAnswers.load(ordering: .relaxed) { throw Failure(.storageUnavailable, "The connection is gone.") }
    }

    func taps(of app: AppID, _ query: TapQuery) -> TapStatistics { TapStatistics(query, outcomes: [:], rows: [], buckets: nil) }
}
