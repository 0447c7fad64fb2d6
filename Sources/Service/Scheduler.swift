import Logging
import QuickActions
import Shortcuts
import Threads

/// Does what the entries of the schedule say when they are due; at start, those that became due while the service was not running.
///
/// Entries fire in the order of their times, each in one transaction that also deletes it, so that a kill at any point fires it exactly
/// once. At each of `windows` before an entry the app's cached answers are dropped: their `Cache-Control` would let other caches
/// serve them past it (`CachePolicy`).
///
/// `@unchecked`: `isRunning` and `lastTurn` belong to `thread`.
final class Scheduler: @unchecked Sendable {
    /// The longest sleep, although the thread's clock follows changes of the system's time.
    private static let longestWait: Duration = .seconds(30)
    /// By how much the clock may be set back between two turns without an answer that outlives a window.
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
    /// When `windows` were last looked at.
    private var lastTurn = Timestamp(milliseconds: 0)

    /// - Parameters:
    ///   - windows: the times before an entry is due at which the app's cached answers are dropped.
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

    /// Waits for the entry that is firing, and begins no other.
    func stop() {
        thread.runAndWait { self.isRunning = false }
    }

    private func fireAndReschedule() {
        guard isRunning else { return }
        thread.run(after: fireDue(), for: self) { [weak self] in self?.fireAndReschedule() }
    }

    /// Fires what is due, and drops the answers of apps with an entry that one of `windows` has reached since the last turn.
    /// - Returns: the time until one of these is to be done again.
    private func fireDue() -> Duration {
        do throws(Failure) {
            // Read once, so that an entry that becomes due in between is still found by `nextDue`.
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
