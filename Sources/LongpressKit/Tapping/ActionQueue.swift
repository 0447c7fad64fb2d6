internal import Foundation

/// The queue of taps between the system and the listeners: each tap is delivered to one listener, in the order of the taps.
///
/// A tap goes to the listener in its scene. It waits a second for this listener, because a new scene shows its views after it got the tap.
/// Without one, the listener that started first gets the tap. While a listener is busy, taps wait. When it leaves, the next listener gets
/// them. Without a listener, a tap waits for ten seconds and is then dropped, because an app that navigates long after a tap surprises the
/// person. A tap that is still being resolved delays later taps.
@MainActor
package final class ActionQueue {
    package static let keeping: Duration = .seconds(10)
    /// How long a tap waits for a listener in its scene.
    package static let patience: Duration = .seconds(1)

    /// Identifies a listener, from its first `next` until `leave`.
    package struct ListenerID: Sendable, Hashable {
        private let id = UUID()
        package init() {}
    }

    private struct Entry {
        let tap: Int
        let scene: String?
        let since: ContinuousClock.Instant
        var action: ResolvedAction?
    }

    private struct Listener {
        let id: ListenerID
        /// Nil for a listener that takes the taps of every scene.
        let scene: String?
        /// More than one if copies of an iterator wait at the same time.
        var waiting: [CheckedContinuation<ResolvedAction?, Never>] = []
    }

    private let now: @Sendable () -> ContinuousClock.Instant
    private var entries: [Entry] = []
    private var listeners: [Listener] = []
    /// When the last listener left.
    private var unheard: ContinuousClock.Instant
    /// The number of taps so far.
    package private(set) var taps = 0

    package init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.now = now
        unheard = now()
    }

    /// Whether all taps were delivered or dropped.
    package var isEmpty: Bool { entries.isEmpty }

    /// Adds a tap that is not resolved yet.
    /// - Parameter scene: the persistent identifier of its scene's session.
    /// - Returns: its number, for `resolve`.
    package func append(scene: String? = nil) -> Int {
        dropOverdue()
        taps += 1
        entries.append(Entry(tap: taps, scene: scene, since: now(), action: nil))
        return taps
    }

    package func resolve(_ tap: Int, _ action: ResolvedAction) {
        guard let place = entries.firstIndex(where: { $0.tap == tap }) else { return }
        entries[place].action = action
        deliver()
    }

    /// Waits for the listener's next tap.
    /// - Parameter scene: where the listener is; nil if it takes the taps of every scene.
    /// - Returns: nil if the task is cancelled. The listener has then left.
    package func next(for id: ListenerID, in scene: String? = nil) async -> ResolvedAction? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled else {
                    leave(id)
                    return continuation.resume(returning: nil)
                }
                listen(id, scene, continuation)
                deliver()
            }
        } onCancel: {
            Task { @MainActor in self.leave(id) }
        }
    }

    private func listen(_ id: ListenerID, _ scene: String?, _ continuation: CheckedContinuation<ResolvedAction?, Never>) {
        dropOverdue()
        if let place = listeners.firstIndex(where: { $0.id == id }) {
            listeners[place].waiting.append(continuation)
        } else {
            listeners.append(Listener(id: id, scene: scene, waiting: [continuation]))
        }
    }

    /// Removes a listener. Taps that it has not received go to the next one.
    package func leave(_ id: ListenerID) {
        guard let place = listeners.firstIndex(where: { $0.id == id }) else { return }
        let listener = listeners.remove(at: place)
        if listeners.isEmpty { unheard = now() }
        for continuation in listener.waiting { continuation.resume(returning: nil) }
        deliver()
    }

    private func deliver() {
        while let entry = entries.first, let action = entry.action, let place = listener(for: entry), !listeners[place].waiting.isEmpty {
            entries.removeFirst()
            listeners[place].waiting.removeFirst().resume(returning: action)
        }
    }

    private func listener(for entry: Entry) -> Int? {
        guard let first = listeners.first else { return nil }
        if let scene = entry.scene, let place = listeners.firstIndex(where: { $0.scene == scene }) { return place }
        let patience = now().duration(to: entry.since + Self.patience)
        guard entry.scene != nil, first.scene != nil, patience > .zero else { return 0 }
        Task {
            try? await Task.sleep(for: patience)
            deliver()
        }
        return nil
    }

    private func dropOverdue() {
        guard listeners.isEmpty else { return }
        let now = now()
        entries.removeAll { max($0.since, unheard) + Self.keeping <= now }
    }
}
