import Logging
import QuickActions
import Shortcuts
import Synchronization
import Testing
import Threads

@testable import Service

@Suite struct TapLedgerTests {
    private let store = Kept()
    private let metrics = Metrics()
    private let clock = SystemClock()

    private var ledger: TapLedger {
        TapLedger(
            store: store, on: SerialThread("lp-upkeep", isBackground: false), outcomes: metrics.taps, clock: clock,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func kind(_ installed: Int, _ outcome: TapOutcome = .replaced) throws -> TapKind {
        TapKind(
            app: try #require(AppID("com.example")), item: ItemID("a"), tagVersion: AppVersion("1.0"),
            version: AppVersion("\(installed)"), outcome: outcome)
    }

    @Test func `writes nothing until it settles, then one batch`() throws {
        let ledger = ledger
        for _ in 0..<3 { ledger.count(try kind(1)) }
        ledger.count(try kind(2, .current))
        #expect(store.all.isEmpty)
        ledger.settle()
        ledger.settle()
        #expect(store.all.map { $0.values.sorted() } == [[1, 3]])
        #expect(metrics.taps[.replaced]?.value == 3 && metrics.taps[.current]?.value == 1)
    }

    @Test func `keeps what could not be written`() throws {
        let ledger = ledger
        ledger.count(try kind(1))
        store.fails.store(true, ordering: .relaxed)
        ledger.settle()
        ledger.count(try kind(1))
        store.fails.store(false, ordering: .relaxed)
        ledger.settle()
        #expect(store.all.flatMap(\.values) == [2])
    }

    @Test func `tells only so many kinds apart`() throws {
        let ledger = ledger
        for installed in 1...10_500 { ledger.count(try kind(installed)) }
        ledger.settle()
        #expect(store.all.map(\.count) == [10_001])
        #expect(store.all.flatMap(\.values).max() == 500)
    }
}

private final class Kept: TapStore {
    private let batches = Mutex<[[HourlyTaps: Int]]>([])
    let fails = Atomic(false)

    var all: [[HourlyTaps: Int]] { batches.withLock { $0 } }

    func add(_ counts: [HourlyTaps: Int]) throws(Failure) {
        if fails.load(ordering: .relaxed) { throw Failure(.storageUnavailable, "The disk is full.") }
        batches.withLock { $0.append(counts) }
    }

    func taps(of app: AppID, since time: Timestamp) -> TapStatistics { TapStatistics(since: time, outcomes: [:], kinds: []) }
}
