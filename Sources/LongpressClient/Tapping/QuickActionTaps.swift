/// The taps of an app, resolved, each once and in order: `Longpress.shared.actions`.
///
/// Who iterates is a listener from the first `next()` until the iteration ends. Of several the first gets every tap.
public struct QuickActionTaps: AsyncSequence, Sendable {
    public typealias Element = ResolvedAction

    let queue: ActionQueue

    package init(_ queue: ActionQueue) { self.queue = queue }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(listener: Listener(queue)) }

    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        let listener: Listener

        /// - Returns: nil when the task is cancelled.
        public mutating func next() async -> ResolvedAction? { await listener.next() }
    }

    /// Leaves when the last copy of an iterator is gone.
    final class Listener: Sendable {
        private let queue: ActionQueue
        private let id = ActionQueue.ListenerID()

        init(_ queue: ActionQueue) { self.queue = queue }

        func next() async -> ResolvedAction? { await queue.next(for: id) }

        deinit {
            Task { @MainActor [queue, id] in queue.leave(id) }
        }
    }
}
