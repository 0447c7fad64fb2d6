import Logging
import Shortcuts
import Storage
import Synchronization
import Threads

/// Says every two seconds that this node lives, and takes over what dead ones held (`Store.heartbeat`). It has a thread of its own,
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

    /// Takes the node out of the list. Called once it delivers nothing more.
    func stop() {
        isStopped.store(true, ordering: .releasing)
        // On the thread: behind a beat that is under way.
        thread.runAndWait { [store, logger] in
            do throws(Failure) {
                try store.leave(at: store.clock.now())
            } catch {
                logger.warning("the node is listed until others miss it", metadata: ["cause": "\(error.cause ?? error.detail)"])
            }
        }
    }

    private func beat() {
        do throws(Failure) {
            try store.heartbeat(at: store.clock.now())
            isUnseen = false
        } catch {
            // Logged once: `StoreMonitor` logs that the store is away, and that it is back.
            if !isUnseen { logger.warning("the other nodes cannot see this one", metadata: ["cause": "\(error.cause ?? error.detail)"]) }
            isUnseen = true
        }
    }
}
