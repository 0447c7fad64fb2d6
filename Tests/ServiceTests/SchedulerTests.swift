import Dispatch
import Logging
import QuickActions
import Shortcuts
import Synchronization
import Testing

@testable import Service

@Suite struct SchedulerTests {
    @Test(arguments: [0, 3, 7, 12, 18]) func `finds entries that become due during a turn`(milliseconds: Int64) {
        expectPublish(dueAfter: milliseconds)
    }

    @Test func `continues after a failure of the store`() {
        expectPublish(dueAfter: 0, failures: 1)
    }

    private func expectPublish(dueAfter milliseconds: Int64, failures: Int = 0) {
        let clock = RunningClock(step: 5)
        let store = OneSchedule(due: clock.start.milliseconds + milliseconds, failures: failures)
        let scheduler = Scheduler(
            store: store, windows: [.seconds(65)], clock: clock, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            approaching: { _ in })
        scheduler.start()
        defer { scheduler.stop() }
        #expect(store.published.wait(timeout: .now() + 10) == .success)
    }
}

extension SchedulerTests {
    @Test func `drops the answers of an app as each window before its entry is reached`() {
        let due = Timestamp(milliseconds: 1_800_000_000_000)
        let clock = SetClock()
        let dropped = Mutex(0)
        let scheduler = Scheduler(
            store: OneSchedule(due: due.milliseconds), windows: [.seconds(65), .seconds(86_465)], clock: clock,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, approaching: { _ in dropped.withLock { $0 += 1 } })
        // A turn that follows soon drops them once more: the clock may have been set back.
        for (left, count) in [(90_000, 0), (86_466, 0), (86_465, 1), (86_470, 1), (86_460, 2), (86_400, 3), (80_000, 3), (66, 3), (60, 4)] {
            clock.time.withLock { $0 = due + .seconds(-left) }
            scheduler.start()
            scheduler.stop()
            #expect(dropped.withLock(\.self) == count, "\(left) s before")
        }
    }
}

private final class SetClock: WallClock {
    let time = Mutex(Timestamp(milliseconds: 0))

    func now() -> Timestamp { time.withLock(\.self) }
}

/// A clock that advances by a step at each reading.
private final class RunningClock: WallClock {
    let start = Timestamp(milliseconds: 1_800_000_000_000)
    private let readings = Atomic<Int64>(0)
    private let step: Int64

    init(step: Int64) { self.step = step }

    func now() -> Timestamp {
        Timestamp(milliseconds: start.milliseconds + step * readings.wrappingAdd(1, ordering: .relaxed).newValue)
    }
}

/// A store with one entry in its schedule.
private final class OneSchedule: ScheduleQueue {
    let published = DispatchSemaphore(value: 0)
    private let state: Mutex<(due: Int64?, failures: Int)>

    init(due: Int64, failures: Int = 0) { state = Mutex((due, failures)) }

    func fireNextDue(at now: Timestamp) throws(Failure) -> FiredEntry? {
        let (isDue, fails) = state.withLock { state in
            defer { state.failures -= 1 }
            guard state.failures <= 0 else { return (false, true) }
            guard let due = state.due, due <= now.milliseconds else { return (false, false) }
            state.due = nil
            return (true, false)
        }
        if fails { throw Failure(.storageUnavailable, "The disk is full.") }
        if isDue { published.signal() }
        return nil
    }

    func nextDue(after time: Timestamp) -> Timestamp? {
        state.withLock { $0.due.flatMap { $0 > time.milliseconds ? Timestamp(milliseconds: $0) : nil } }
    }

    func appsDue(after start: Timestamp, until end: Timestamp) -> [AppID] {
        let isDue = nextDue(after: start).map { $0 <= end } ?? false
        return isDue ? AppID("com.example").map { [$0] } ?? [] : []
    }
}
