import Logging
import QuickActions
import Shortcuts
import Synchronization
import Threads

/// Counts taps in memory and brings them into the store in batches, so that no answer waits for a disk. A process that is
/// killed loses what it counted in the last seconds.
final class TapLedger: TapCounter {
    /// From the first tap after a batch to the next batch.
    private static let delay: Duration = .seconds(3)
    /// Kinds told apart in memory; the rest is counted by outcome.
    private static let mostKinds = 10_000

    private let store: any TapStore
    private let clock: any WallClock
    private let logger: Logger
    private let outcomes: [TapOutcome: Counter]
    private let counts = Mutex<[HourlyTaps: Int]>([:])
    private let thread: SerialThread

    /// - Parameters:
    ///   - thread: brings the batches into the store.
    ///   - outcomes: where taps are counted for `/metrics`.
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
        if isFirst { settleLater() }
    }

    func settle() {
        thread.runAndWait { self.bringIn() }
    }

    private func settleLater() {
        thread.run(after: Self.delay, for: self) { [weak self] in self?.bringIn() }
    }

    /// - Returns: whether there was nothing before.
    @discardableResult
    private func add(_ more: [HourlyTaps: Int]) -> Bool {
        counts.withLock { counts in
            let isFirst = counts.isEmpty
            for (taps, count) in more {
                let hasRoom = counts.count < Self.mostKinds || counts[taps] != nil
                counts[hasRoom ? taps : taps.collective, default: 0] += count
            }
            return isFirst
        }
    }

    private func bringIn() {
        let batch = counts.withLock { counts in
            defer { counts = [:] }
            return counts
        }
        guard !batch.isEmpty else { return }
        do throws(Failure) {
            try store.add(batch)
        } catch {
            logger.error("taps", metadata: ["code": "\(error.code.rawValue)", "cause": "\(error.cause ?? error.detail)"])
            if add(batch) { settleLater() }
        }
    }
}
