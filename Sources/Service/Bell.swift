import Synchronization

/// Tells, after a commit, somebody who is made on the store and so after it.
final class Bell<News>: Sendable {
    private let listener = Mutex<(@Sendable (News) -> Void)?>(nil)

    func connect(_ listener: @escaping @Sendable (News) -> Void) {
        self.listener.withLock { $0 = listener }
    }

    func ring(_ news: News) {
        listener.withLock { $0 }?(news)
    }
}
