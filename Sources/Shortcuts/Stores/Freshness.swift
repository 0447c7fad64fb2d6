import Synchronization

/// Whether this process has seen every change of the store recently enough to answer from memory.
///
/// With a single writing process this is always true. With several nodes, a confirmation expires after a time, so that a process or thread
/// that was suspended does not serve old state as current.
package final class Freshness: Sendable {
    /// For a store to which only one process writes.
    package static var permanent: Freshness { Freshness(isConfirmed: true, isPermanent: true) }

    /// Whether the confirmation never expires, because no other process writes to the store.
    package let isPermanent: Bool
    /// Nanoseconds after `origin`, or one of the special values `always` and `never`.
    private let confirmedUntil: Atomic<Int64>
    private let origin = ContinuousClock.now

    private static let (always, never) = (Int64.max, Int64.min)

    package init(isConfirmed: Bool, isPermanent: Bool = false) {
        confirmedUntil = Atomic(isConfirmed ? Self.always : Self.never)
        self.isPermanent = isPermanent
    }

    /// Read for each fetch: one atomic load, and the clock unless the confirmation is permanent. If it is false, call `AppStore.catchUp`.
    package var isConfirmed: Bool {
        let end = confirmedUntil.load(ordering: .acquiring)
        if end == Self.always { return true }
        return end > Self.never && ContinuousClock.now < origin + .nanoseconds(end)
    }

    /// Records that this process has seen every change that was committed before `instant`. Answers from memory are recent enough for
    /// `duration` from then on.
    package func confirm(at instant: ContinuousClock.Instant, for duration: Duration) {
        let end = (origin.duration(to: instant) + duration) / .nanoseconds(1)
        confirmedUntil.max(Int64(end), ordering: .acquiringAndReleasing)
    }

    package func set(_ isConfirmed: Bool) {
        confirmedUntil.store(isConfirmed ? Self.always : Self.never, ordering: .releasing)
    }
}
