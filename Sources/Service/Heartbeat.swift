import Logging
import Platform
import Shortcuts
import Storage
import Synchronization

/// Records every two seconds that this node is alive, and takes over the leases of dead nodes (`Store.heartbeat`). It has its own thread,
/// because a node that is not seen for 15 seconds loses its leases.
///
/// `@unchecked`: the mutable state belongs to `thread`.
final class Heartbeat: @unchecked Sendable {
    private let store: Store
    private let logger: Logger
    private let thread = SerialThread("lp-heartbeat", isBackground: true)
    private let isStopped = Atomic(false)
    private var isUnseen = false

    init(of store: Store, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    func start() {
        thread.run(after: Store.Node.heartbeatInterval, for: self) { [weak self] in
            guard let self, !isStopped.load(ordering: .acquiring) else { return }
            beat()
            start()
        }
    }

    /// Removes the node from the list. Called after its last delivery.
    func stop() {
        isStopped.store(true, ordering: .releasing)
        // On the thread, so that it runs after a heartbeat in progress.
        thread.runAndWait { [store, logger] in
            do throws(Failure) {
                try store.leave(at: store.clock.now())
            } catch {
                logger.warning("the node is still listed until it times out", metadata: ["cause": "\(error.cause ?? error.detail)"])
            }
        }
    }

    private func beat() {
        do throws(Failure) {
            try store.heartbeat(at: store.clock.now())
            isUnseen = false
        } catch {
            // Logged once: `StoreMonitor` logs when the store fails and when it is back.
            if !isUnseen { logger.warning("the other nodes cannot see this node", metadata: ["cause": "\(error.cause ?? error.detail)"]) }
            isUnseen = true
        }
    }
}
