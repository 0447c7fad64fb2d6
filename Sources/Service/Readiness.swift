import Synchronization

/// Whether the service accepts requests: false while it starts and drains.
final class Readiness: Sendable {
    private let isReady = Atomic(false)

    func set(_ value: Bool) { isReady.store(value, ordering: .releasing) }

    var value: Bool { isReady.load(ordering: .acquiring) }
}
