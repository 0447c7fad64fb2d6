import Logging
import QuickActions
import Shortcuts
import Synchronization
import Threads

/// Counts taps in memory and writes them to the store in batches, so that no answer waits for a disk. A kill loses the counts since the
/// last batch. Any thread may count.
final class TapBuffer: TapCounter {
    /// The time from the first tap after a batch to the next batch.
    private static let delay: Duration = .seconds(3)
    /// The largest number of kinds in memory; taps of further kinds are counted by outcome only.
    private static let kindLimit = 10_000

    private let store: any TapStore
    private let clock: any WallClock
    private let logger: Logger
    private let outcomes: [TapOutcome: Counter]
    private let counts = Mutex<[HourlyTaps: Int]>([:])
    private let thread: SerialThread

    /// - Parameters:
    ///   - thread: writes the batches.
    ///   - outcomes: the counters for `/metrics`.
    init(store: any TapStore, on thread: SerialThread, outcomes: [TapOutcome: Counter], clock: any WallClock, logger: Logger) {
        self.thread = thread
        self.store = store
        self.outcomes = outcomes
        self.clock = clock
        self.logger = logger
    }

    func count(_ kind: TapKind) {
        outcomes[kind.outcome]?.add()
        let isFirst = add([HourlyTaps(kind, at: clock.now()): 1])
        if isFirst { scheduleBatch() }
    }

    func flush() {
        thread.runAndWait { self.writeBatch() }
    }

    private func scheduleBatch() {
        thread.run(after: Self.delay, for: self) { [weak self] in self?.writeBatch() }
    }

    /// - Returns: whether there were no counts before.
    @discardableResult
    private func add(_ more: [HourlyTaps: Int]) -> Bool {
        counts.withLock { counts in
            let isFirst = counts.isEmpty
            for (taps, count) in more {
                let hasRoom = counts.count < Self.kindLimit || counts[taps] != nil
                counts[hasRoom ? taps : taps.overflow, default: 0] += count
            }
            return isFirst
        }
    }

    private func writeBatch() {
        let batch = counts.withLock { counts in
            defer { counts = [:] }
            return counts
        }
        guard !batch.isEmpty else { return }
        do throws(Failure) {
            try store.add(batch)
        } catch {
            logger.error("taps", metadata: ["code": "\(error.code.rawValue)", "cause": "\(error.cause ?? error.detail)"])
            if add(batch) { scheduleBatch() }
        }
    }
}
