import Logging
import QuickActions
import Shortcuts
import Threads

/// Publishes drafts when their time has come, those whose time came while nothing ran at once.
///
/// One thread and one time at which it looks again: what is due is published in the order of its times, each in a transaction of its own that
/// drops the draft, so that a kill at any point makes it happen once. Shortly before an instant the app's answers are no
/// longer kept in memory, because each must say how little it may be cached.
///
/// `@unchecked`: `isRunning` belongs to `thread`.
final class Scheduler: @unchecked Sendable {
    /// The thread follows a clock that is set; after this long it is looked at all the same.
    private static let longestWait: Duration = .seconds(30)
    /// After a store that could not be written.
    private static let pause: Duration = .seconds(1)

    private let store: any ScheduleStore
    private let window: Duration
    private let clock: any WallClock
    private let logger: Logger
    private let approaching: @Sendable (AppID) -> Void
    private let thread = SerialThread("lp-scheduler", isBackground: true, isOnWallClock: true)
    private var isRunning = false

    /// - Parameters:
    ///   - window: how long before an instant the app's answers are no longer kept.
    ///   - approaching: drops the answers of an app that are kept.
    init(
        store: any ScheduleStore, window: Duration, clock: any WallClock, logger: Logger,
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
            self?.turn()
        }
    }

    /// A draft has a time, or another one.
    func wake() {
        thread.run { [weak self] in self?.turn() }
    }

    /// Returns once nothing is being published.
    func stop() {
        thread.runAndWait { self.isRunning = false }
    }

    private func turn() {
        guard isRunning else { return }
        thread.run(after: wait(), for: self) { [weak self] in self?.turn() }
    }

    /// Does what is due.
    /// - Returns: how long nothing else will be.
    private func wait() -> Duration {
        do throws(Failure) {
            // One reading for all of it: what comes due meanwhile is then still seen as coming.
            let now = clock.now()
            while try store.publishNextDue(at: now) != nil {}
            for app in try store.appsPublishing(until: now + window) { approaching(app) }
            let instant = try store.nextPublish(after: now).map { $0 - now }
            let approach = try store.nextPublish(after: now + window).map { $0 - now - window }
            return [instant, approach].compactMap { $0 }.reduce(Self.longestWait, min)
        } catch {
            logger.error("schedule", metadata: ["code": "\(error.code.rawValue)", "cause": "\(error.cause ?? error.detail)"])
            return Self.pause
        }
    }
}
