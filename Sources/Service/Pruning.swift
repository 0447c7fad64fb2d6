import Logging
import Platform
import Shortcuts
import Storage
import Synchronization

/// Deletes old deliveries, tap counts and audit entries: five seconds after the start, then hourly. It uses small transactions with pauses,
/// so that a publish waits for at most one of them.
final class Pruning: Sendable {
    private static let (first, interval) = (Duration.seconds(5), Duration.seconds(3600))
    private static let pause = Duration.milliseconds(50)

    private let store: Store
    private let retention: Retention
    private let clock: any WallClock
    private let logger: Logger
    private let thread: SerialThread
    private let isStopped = Atomic(false)

    init(of store: Store, keeping retention: Retention, on thread: SerialThread, clock: any WallClock, logger: Logger) {
        self.thread = thread
        self.store = store
        self.retention = retention
        self.clock = clock
        self.logger = logger
    }

    func start() { step(after: Self.first) }

    /// Starts no further transaction. Does not wait for a transaction in progress.
    func stop() { isStopped.store(true, ordering: .releasing) }

    private func step(after delay: Duration) {
        thread.run(after: delay, for: self) { [weak self] in
            guard let self, !isStopped.load(ordering: .acquiring) else { return }
            step(after: step())
        }
    }

    /// - Returns: the delay of the next step.
    private func step() -> Duration {
        do throws(Failure) {
            let step = try store.prune(at: clock.now(), keeping: retention)
            if step.removed > 0 { logger.debug("pruned", metadata: ["rows": .stringConvertible(step.removed)]) }
            return step.hasMore ? Self.pause : Self.interval
        } catch {
            logger.warning("pruning failed", metadata: ["code": "\(error.code.rawValue)", "cause": "\(error.cause ?? error.detail)"])
            return Self.interval
        }
    }
}
