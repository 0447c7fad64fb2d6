import Synchronization

/// Whether this process knows every change of the store, as far as that was confirmed recently enough to answer from memory.
///
/// Where one process alone writes to the store it always is. Where several nodes do, a confirmation holds for a time: a process that was
/// stopped meanwhile, or whose thread was, does not take the past for the present.
package final class Freshness: Sendable {
    /// Of a store that one process alone writes to.
    package static var permanent: Freshness { Freshness(isConfirmed: true, isPermanent: true) }

    /// Whether it is confirmed for ever: what this process has not committed, nobody has.
    package let isPermanent: Bool
    /// Nanoseconds after `origin`; `always` and `never` are no times.
    private let confirmedUntil: Atomic<Int64>
    private let origin = ContinuousClock.now

    private static let (always, never) = (Int64.max, Int64.min)

    package init(isConfirmed: Bool, isPermanent: Bool = false) {
        confirmedUntil = Atomic(isConfirmed ? Self.always : Self.never)
        self.isPermanent = isPermanent
    }

    /// Read for each fetch: one atomic load, and a reading of the clock where a confirmation holds for a time. A caller that finds false
    /// calls `AppStore.catchUp`.
    package var isConfirmed: Bool {
        let end = confirmedUntil.load(ordering: .acquiring)
        if end == Self.always { return true }
        return end > Self.never && ContinuousClock.now < origin + .nanoseconds(end)
    }

    /// Every change that was committed before `instant` is known: answers from memory are recent enough for `duration` from then on.
    package func confirm(at instant: ContinuousClock.Instant, for duration: Duration) {
        let end = (origin.duration(to: instant) + duration) / .nanoseconds(1)
        confirmedUntil.max(Int64(end), ordering: .acquiringAndReleasing)
    }

    package func set(_ isConfirmed: Bool) {
        confirmedUntil.store(isConfirmed ? Self.always : Self.never, ordering: .releasing)
    }
}
