import Logging
import Platform
import QuickActions
import Shortcuts

/// Runs the entries of the schedule at their times, and at start those that became due while the service was down.
///
/// Entries run in the order of their times. Each entry runs in one transaction that also deletes it, so that it runs exactly once even if
/// the process is killed. At each of `windows` before an entry, the app's cached answers are dropped: with their `Cache-Control`, other
/// caches could serve them after the entry (`CachePolicy`).
///
/// `@unchecked`: `isRunning` and `lastTurn` belong to `thread`.
final class Scheduler: @unchecked Sendable {
    /// The longest sleep. It bounds the delay if the system's time changes.
    private static let longestWait: Duration = .seconds(30)
    /// How far the clock may be set back between two turns without an answer that outlives a window.
    private static let overlap: Duration = .seconds(60)
    /// The delay after a failure of the store.
    private static let retryDelay: Duration = .seconds(1)

    private let store: any ScheduleQueue
    private let windows: [Duration]
    private let clock: any WallClock
    private let logger: Logger
    private let approaching: @Sendable (AppID) -> Void
    private let thread = SerialThread("lp-scheduler", isBackground: true, isOnWallClock: true)
    private var isRunning = false
    /// The time of the last check of `windows`.
    private var lastTurn = Timestamp(milliseconds: 0)

    /// - Parameters:
    ///   - windows: how long before an entry the app's cached answers are dropped.
    ///   - approaching: drops the app's cached answers.
    init(
        store: any ScheduleQueue, windows: [Duration], clock: any WallClock, logger: Logger,
        approaching: @escaping @Sendable (AppID) -> Void
    ) {
        self.store = store
        self.windows = windows
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

    /// Waits for an entry that is running, and starts no other.
    func stop() {
        thread.runAndWait { self.isRunning = false }
    }

    private func fireAndReschedule() {
        guard isRunning else { return }
        thread.run(after: fireDue(), for: self) { [weak self] in self?.fireAndReschedule() }
    }

    /// Runs due entries, and drops the answers of apps with an entry that one of `windows` has reached since the last turn.
    /// - Returns: the time until the next turn.
    private func fireDue() -> Duration {
        do throws(Failure) {
            // Read once, so that `nextDue` still finds an entry that becomes due in between.
            let now = clock.now()
            while try store.fireNextDue(at: now) != nil {}
            for window in windows {
                for app in try store.appsDue(after: lastTurn + (window - Self.overlap), until: now + window) { approaching(app) }
            }
            lastTurn = now
            var wait = Self.longestWait
            for window in [.zero] + windows {
                if let next = try store.nextDue(after: now + window) { wait = min(wait, next - now - window) }
            }
            return wait
        } catch {
            logger.error("schedule", metadata: ["code": "\(error.code.rawValue)", "cause": "\(error.cause ?? error.detail)"])
            return Self.retryDelay
        }
    }
}
