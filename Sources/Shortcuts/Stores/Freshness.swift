import Synchronization

/// Whether this process knows every change of the store, as far as that was confirmed recently enough to answer from memory.
///
/// Where one process alone writes to the store it always is. Where several nodes do, the thread that hears of their changes keeps it.
package final class Freshness: Sendable {
    private let confirmed: Atomic<Bool>

    package init(isConfirmed: Bool) {
        confirmed = Atomic(isConfirmed)
    }

    /// Read for each fetch: one atomic load. A caller that finds false calls `AppStore.catchUp`.
    @inline(__always)
    package var isConfirmed: Bool { confirmed.load(ordering: .acquiring) }

    package func set(_ isConfirmed: Bool) {
        confirmed.store(isConfirmed, ordering: .releasing)
    }
}
