import Logging
import Shortcuts
import Storage
import Synchronization
import Threads

/// Says in the log when writes to the store cannot be had any more, and when they can again, whether or not anybody writes; and sees
/// to it that what another process writes is noticed within a second.
///
/// What is wrong with the files shows by looking at them. What a write has met (a full disk, a lock) only shows by another one:
/// once a write was refused, one that changes nothing is tried from time to time.
///
/// `@unchecked`: what changes belongs to `thread`.
final class StoreWatch: @unchecked Sendable {
    private static let interval = Duration.seconds(1)
    /// A try may wait as long for a lock as any write: this many looks lie between two.
    private static let looksBetweenTries = 5

    private let store: Store
    private let logger: Logger
    private let thread: SerialThread
    private let isStopped = Atomic(false)
    private var isLost = false
    private var looksUntilTry = looksBetweenTries

    init(over store: Store, on thread: SerialThread, logger: Logger) {
        self.thread = thread
        self.store = store
        self.logger = logger
    }

    func start() {
        thread.run(after: Self.interval, for: self) { [weak self] in
            guard let self, !isStopped.load(ordering: .acquiring) else { return }
            look()
            start()
        }
    }

    func stop() { isStopped.store(true, ordering: .releasing) }

    private func look() {
        // What it meets, a write meets too, and that is what is told.
        try? store.lookForForeignCommits()
        if case .lastWrite = store.writeObstacle { retry() }
        let obstacle = store.writeObstacle
        guard isLost != (obstacle != nil) else { return }
        isLost = obstacle != nil
        if let obstacle {
            logger.warning("writes to the store cannot be had; fetches go on", metadata: ["cause": "\(obstacle.reason)"])
        } else {
            logger.info("writes to the store can be had again")
        }
    }

    private func retry() {
        looksUntilTry -= 1
        guard looksUntilTry == 0 else { return }
        looksUntilTry = Self.looksBetweenTries
        // What it meets is what the store then tells.
        try? store.tryWriting()
    }
}
