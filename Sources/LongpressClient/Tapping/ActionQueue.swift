internal import Foundation

/// The taps that are new, in their order, each for one listener.
///
/// A tap goes to the first of those who listen, in the order in which they began to; while that one is busy it waits, and when that one
/// leaves the next gets it. Where nobody listens it is kept for ten seconds: an app that then still leads somewhere else surprises.
/// What is resolved later than a tap behind it is waited for.
@MainActor
package final class ActionQueue {
    package static let keeping: Duration = .seconds(10)

    /// Who listens, from the first `next` until `leave`.
    package struct ListenerID: Sendable, Hashable {
        private let id = UUID()
        package init() {}
    }

    private struct Entry {
        let tap: Int
        let since: ContinuousClock.Instant
        var action: ResolvedAction?
    }

    private struct Listener {
        let id: ListenerID
        /// Several, if copies of an iterator are asked at once.
        var waiting: [CheckedContinuation<ResolvedAction?, Never>] = []
    }

    private let now: @Sendable () -> ContinuousClock.Instant
    private var entries: [Entry] = []
    private var listeners: [Listener] = []
    /// Since when nobody listens.
    private var unheard: ContinuousClock.Instant
    /// How many were taken.
    package private(set) var taps = 0

    package init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.now = now
        unheard = now()
    }

    /// Whether every tap was given to somebody, or dropped.
    package var isEmpty: Bool { entries.isEmpty }

    /// Keeps the place of a tap that is being resolved.
    package func append() -> Int {
        dropOverdue()
        taps += 1
        entries.append(Entry(tap: taps, since: now(), action: nil))
        return taps
    }

    package func resolve(_ tap: Int, _ action: ResolvedAction) {
        guard let place = entries.firstIndex(where: { $0.tap == tap }) else { return }
        entries[place].action = action
        deliver()
    }

    /// Waits for the listener's next tap.
    /// - Returns: nil when the task is cancelled; then the listener has left.
    package func next(for id: ListenerID) async -> ResolvedAction? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled else {
                    leave(id)
                    return continuation.resume(returning: nil)
                }
                listen(id, continuation)
                deliver()
            }
        } onCancel: {
            Task { @MainActor in self.leave(id) }
        }
    }

    private func listen(_ id: ListenerID, _ continuation: CheckedContinuation<ResolvedAction?, Never>) {
        dropOverdue()
        if let place = listeners.firstIndex(where: { $0.id == id }) {
            listeners[place].waiting.append(continuation)
        } else {
            listeners.append(Listener(id: id, waiting: [continuation]))
        }
    }

    /// The listener listens no longer. What it was not given yet is the next one's.
    package func leave(_ id: ListenerID) {
        guard let place = listeners.firstIndex(where: { $0.id == id }) else { return }
        let listener = listeners.remove(at: place)
        if listeners.isEmpty { unheard = now() }
        for continuation in listener.waiting { continuation.resume(returning: nil) }
        deliver()
    }

    private func deliver() {
        while let action = entries.first?.action, listeners.first?.waiting.isEmpty == false {
            entries.removeFirst()
            listeners[0].waiting.removeFirst().resume(returning: action)
        }
    }

    private func dropOverdue() {
        guard listeners.isEmpty else { return }
        let now = now()
        entries.removeAll { max($0.since, unheard) + Self.keeping <= now }
    }
}
