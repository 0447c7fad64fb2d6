import Logging
import Platform
import QuickActions
import Shortcuts
import Synchronization

/// Counts taps in memory and writes them to the store in batches, so that no answer waits for a disk. If the process is killed, the counts
/// since the last batch are lost. Any thread may count.
final class TapBuffer: TapCounter {
    /// The time from the first tap after a batch to the next batch.
    private static let delay: Duration = .seconds(3)
    /// The most kinds of taps in memory. Taps of further kinds are counted only by outcome.
    private static let kindLimit = 10_000

    private let store: any TapStore
    private let clock: any WallClock
    private let logger: Logger
    private let outcomes: [TapOutcome: Counter]
    private let ignoredValues: Counter
    private let counts = Mutex<[HourlyTaps: Int]>([:])
    /// The batch to write next, or to write again.
    private let batch: Mutex<TapBatch>
    private let thread: SerialThread

    /// - Parameters:
    ///   - writer: random text that identifies this process.
    ///   - thread: writes the batches.
    ///   - outcomes: the counters for `/metrics`, like `ignoredValues`.
    init(
        store: any TapStore, writer: String, on thread: SerialThread, outcomes: [TapOutcome: Counter], ignoredValues: Counter = Counter(),
        clock: any WallClock, logger: Logger
    ) {
        self.thread = thread
        batch = Mutex(TapBatch(writer: writer, number: 0, counts: [:]))
        self.store = store
        self.outcomes = outcomes
        self.ignoredValues = ignoredValues
        self.clock = clock
        self.logger = logger
    }

    func count(_ kind: TapKind) {
        outcomes[kind.outcome]?.add()
        let taps = HourlyTaps(kind, at: clock.now())
        let isFirst = counts.withLock { counts in
            let hasRoom = counts.count < Self.kindLimit || counts[taps] != nil
            counts[hasRoom ? taps : taps.overflow, default: 0] += 1
            return counts.count == 1 && counts.values.first == 1
        }
        if isFirst { scheduleBatch() }
    }

    func countIgnoredValues() {
        ignoredValues.add()
    }

    func flush() {
        thread.runAndWait { self.writeBatches() }
    }

    private func scheduleBatch() {
        thread.run(after: Self.delay, for: self) { [weak self] in self?.writeBatches() }
    }

    /// Writes a batch that failed before, unchanged, then the counts since. Only `thread` calls it.
    private func writeBatches() {
        guard write(batch.withLock(\.self)) else { return scheduleBatch() }
        let counts = counts.withLock { counts in
            defer { counts = [:] }
            return counts
        }
        let next = batch.withLock { batch in
            batch = TapBatch(writer: batch.writer, number: batch.number + 1, counts: counts)
            return batch
        }
        if !write(next) { scheduleBatch() }
    }

    /// - Returns: false if it is unknown whether the batch was counted: the answer to a commit can be lost.
    private func write(_ batch: TapBatch) -> Bool {
        guard !batch.counts.isEmpty else { return true }
        do throws(Failure) {
            try store.add(batch)
            self.batch.withLock { $0 = TapBatch(writer: batch.writer, number: batch.number, counts: [:]) }
            return true
        } catch {
            logger.error("taps", metadata: ["code": "\(error.code.rawValue)", "cause": "\(error.cause ?? error.detail)"])
            return false
        }
    }
}
