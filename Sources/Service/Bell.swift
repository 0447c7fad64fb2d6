import Synchronization

/// Tells, after a commit, somebody who is made on the store and so after it.
final class Bell<News>: Sendable {
    // A closure in an object of its own: each time a lock handed out the closure itself, it came back wrapped once more.
    private final class Listener: Sendable {
        let hear: @Sendable (News) -> Void

        init(_ hear: @escaping @Sendable (News) -> Void) {
            self.hear = hear
        }
    }

    private let listener = Mutex<Listener?>(nil)

    func connect(_ hear: @escaping @Sendable (News) -> Void) {
        listener.withLock { $0 = Listener(hear) }
    }

    func ring(_ news: News) {
        listener.withLock { $0 }?.hear(news)
    }
}
