import Logging
import Platform
import Shortcuts
import Storage
import Synchronization

/// Checks every second whether the store accepts writes, logs changes of that, and detects the commits of other processes.
///
/// The check of the files does not write. After a write has failed (full disk, lock), every fifth check writes a probe that changes
/// nothing. The probe is rare, because it may wait for the lock.
///
/// `@unchecked`: the mutable state belongs to `thread`.
final class StoreMonitor: @unchecked Sendable {
    private static let interval = Duration.seconds(1)
    private static let checksPerProbe = 5

    private let store: Store
    private let logger: Logger
    private let thread: SerialThread
    private let isStopped = Atomic(false)
    private var isUnwritable = false
    private var checksUntilProbe = checksPerProbe

    init(over store: Store, on thread: SerialThread, logger: Logger) {
        self.thread = thread
        self.store = store
        self.logger = logger
    }

    func start() {
        thread.run(after: Self.interval, for: self) { [weak self] in
            guard let self, !isStopped.load(ordering: .acquiring) else { return }
            check()
            start()
        }
    }

    func stop() { isStopped.store(true, ordering: .releasing) }

    private func check() {
        // An error here also blocks writes, and is reported below.
        try? store.checkForExternalCommits()
        if case .lastWrite = store.writeError { probe() }
        let writeError = store.writeError
        guard isUnwritable != (writeError != nil) else { return }
        isUnwritable = writeError != nil
        if let writeError {
            logger.warning("the database does not accept writes; fetches continue", metadata: ["cause": "\(writeError.reason)"])
        } else {
            logger.info("the database accepts writes again")
        }
    }

    private func probe() {
        checksUntilProbe -= 1
        guard checksUntilProbe == 0 else { return }
        checksUntilProbe = Self.checksPerProbe
        // An error becomes the store's `writeError`.
        try? store.probeWrite()
    }
}
