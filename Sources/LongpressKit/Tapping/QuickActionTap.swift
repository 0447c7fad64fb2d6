/// A tap on a quick action, as the system delivers it.
public struct QuickActionTap: Sendable {
    /// `UIApplicationShortcutItem.type`.
    public let type: String
    /// `UIApplicationShortcutItem.userInfo`, with the version tag that the item was registered with.
    public let userInfo: [String: PropertyListValue]

    /// Creates a tap.
    public init(type: String, userInfo: [String: PropertyListValue]) {
        self.type = type
        self.userInfo = userInfo
    }
}

/// The resolved taps of an app, each once and in order: `Longpress.shared.actions`.
///
/// An iteration is a listener from its first `next()` until it ends. If there are several listeners, a tap goes to the one in its scene, and
/// without one to the listener that started first.
public struct QuickActionTaps: AsyncSequence, Sendable {
    /// A resolved tap.
    public typealias Element = ResolvedAction

    let queue: ActionQueue
    let scene: String?

    package init(_ queue: ActionQueue, in scene: String? = nil) {
        self.queue = queue
        self.scene = scene
    }

    /// Creates an iterator. It gets taps from its first `next()` on.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(listener: Listener(queue, scene)) }

    /// Waits for taps, one after the other.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        let listener: Listener

        /// Waits for the next tap.
        /// - Returns: nil if the task is cancelled.
        public mutating func next() async -> ResolvedAction? { await listener.next() }
    }

    /// Leaves the queue when the last copy of its iterator is released.
    final class Listener: Sendable {
        private let queue: ActionQueue
        private let scene: String?
        private let id = ActionQueue.ListenerID()

        init(_ queue: ActionQueue, _ scene: String?) {
            self.queue = queue
            self.scene = scene
        }

        func next() async -> ResolvedAction? { await queue.next(for: id, in: scene) }

        deinit {
            Task { @MainActor [queue, id] in queue.leave(id) }
        }
    }
}
