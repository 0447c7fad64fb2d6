import Logging
import QuickActions
import Shortcuts
import Threads

/// Does what the entries of the schedule say when they are due; at start, those that became due while the service was not running.
///
/// Entries fire in the order of their times, each in one transaction that also deletes it, so that a kill at any point fires it exactly
/// once. From `window` before an entry on, the app's answers are not cached, because each needs its own `max-age`
/// (`CachePolicy`).
///
/// `@unchecked`: `isRunning` belongs to `thread`.
final class Scheduler: @unchecked Sendable {
    /// The longest sleep, although the thread's clock follows changes of the system's time.
    private static let longestWait: Duration = .seconds(30)
    /// The delay after a failure of the store.
    private static let retryDelay: Duration = .seconds(1)

    private let store: any ScheduleQueue
    private let window: Duration
    private let clock: any WallClock
    private let logger: Logger
    private let approaching: @Sendable (AppID) -> Void
    private let thread = SerialThread("lp-scheduler", isBackground: true, isOnWallClock: true)
    private var isRunning = false

    /// - Parameters:
    ///   - window: the time before an entry is due in which the app's answers are not cached.
    ///   - approaching: drops the app's cached answers.
    init(
        store: any ScheduleQueue, window: Duration, clock: any WallClock, logger: Logger,
        approaching: @escaping @Sendable (AppID) -> Void
    ) {
        self.store = store
        self.window = window
        self.clock = clock
        self.logger = logger
        self.approaching = approaching
    }

    func start() {
        thread.run { [weak self] in
            self?.isRunning = true
            self?.fireAndReschedule()
        }
    }

    /// Must be called when an entry was added.
    func wake() {
        thread.run { [weak self] in self?.fireAndReschedule() }
    }

    /// Waits for the entry that is firing, and begins no other.
    func stop() {
        thread.runAndWait { self.isRunning = false }
    }

    private func fireAndReschedule() {
        guard isRunning else { return }
        thread.run(after: fireDue(), for: self) { [weak self] in self?.fireAndReschedule() }
    }

    /// Fires what is due, and drops the answers of apps that have an entry due within `window`.
    /// - Returns: the time until one of these is to be done again.
    private func fireDue() -> Duration {
        do throws(Failure) {
            // Read once, so that an entry that becomes due in between is still found by `nextDue`.
            let now = clock.now()
            while try store.fireNextDue(at: now) != nil {}
            for app in try store.appsDue(until: now + window) { approaching(app) }
            let instant = try store.nextDue(after: now).map { $0 - now }
            let approach = try store.nextDue(after: now + window).map { $0 - now - window }
            return [instant, approach].compactMap { $0 }.reduce(Self.longestWait, min)
        } catch {
            logger.error("schedule", metadata: ["code": "\(error.code.rawValue)", "cause": "\(error.cause ?? error.detail)"])
            return Self.retryDelay
        }
    }
}
