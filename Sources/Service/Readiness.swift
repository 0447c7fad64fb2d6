import Synchronization

/// Whether new work is welcome.
final class Readiness: Sendable {
    private let isReady = Atomic(false)

    func set(_ value: Bool) { isReady.store(value, ordering: .releasing) }

    var value: Bool { isReady.load(ordering: .acquiring) }
}
