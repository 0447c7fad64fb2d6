import Dispatch
import Logging
import QuickActions
import Shortcuts
import Synchronization
import Threads

/// Sends due deliveries. One thread uses the queue and another the network, so that a slow disk does not delay transfers, and a slow
/// endpoint does not delay the queue.
package final class Dispatcher: Sendable {
    private enum State { case idle, running, draining }

    private let queueLoop: QueueLoop
    private let transferLoop: TransferLoop
    private let state = Mutex(State.idle)
    private let ended = DispatchSemaphore(value: 0)
    private let endedCleanly = Atomic(false)

    /// - Parameters:
    ///   - lookUp: returns the addresses of a host name; it may block.
    ///   - observe: called for each attempt, on the dispatcher's thread.
    package init(
        queue: any DeliveryQueue, configuration: Configuration, clock: any WallClock = SystemClock(),
        random: @escaping RandomSource = systemRandom, lookUp: @escaping @Sendable (String) -> LookupResult = LookupResult.system,
        logger: Logger, observe: @escaping @Sendable (AttemptReport) -> Void = { _ in }
    ) {
        let queueLoop = QueueLoop(queue, configuration, clock: clock, random: random, logger: logger, observe: observe)
        self.queueLoop = queueLoop
        transferLoop = TransferLoop(configuration, clock: clock, lookUp: lookUp) { queueLoop.finished($0) }
    }

    /// Releases the leases of a process that died, then delivers until `drain`.
    package func start() {
        let isFirst = state.withLock { state in
            guard case .idle = state else { return false }
            state = .running
            return true
        }
        guard isFirst else { return }
        transferLoop.start()
        NamedThread.start("lp-dispatcher", isBackground: true) { [self] in
            let isClean = queueLoop.run(on: transferLoop)
            transferLoop.stop()
            endedCleanly.store(isClean, ordering: .releasing)
            ended.signal()
        }
    }

    /// Called after each commit that may have made a delivery due. Does not block.
    package func wake() { queueLoop.wake() }

    /// Called after each commit that changed, disabled or deleted endpoints. No attempt with their previous settings starts after this
    /// call. Does not block.
    package func endpointsChanged(_ endpoints: Set<EndpointID>) {
        // Twice: now, and after the deliveries that the queue's thread has claimed but not yet passed on.
        transferLoop.dropQueued(for: endpoints)
        queueLoop.endpointsChanged(endpoints)
    }

    /// Replaces the authorities (PEM) that are trusted beside the system's, for attempts that start from now on. Does not block.
    package func trust(_ authorities: [UInt8]?) { transferLoop.trust(authorities) }

    /// Stops claiming, waits until the attempts in flight have ended and are recorded, and stops. An attempt that takes longer than
    /// `timeout` is abandoned without a record; its delivery is due again after the next start.
    /// - Returns: whether no attempt was abandoned.
    package func drain(timeout: Duration) -> Bool {
        let wasRunning = state.withLock { state in
            guard case .running = state else { return false }
            state = .draining
            return true
        }
        guard wasRunning else { return true }
        queueLoop.drain(by: .now + timeout)
        transferLoop.drain()
        // One more second for a transaction of the queue that is in progress.
        let isOver = ended.wait(timeout: .now() + .milliseconds(Int(timeout.inMilliseconds) + 1000)) == .success
        return isOver && endedCleanly.load(ordering: .acquiring)
    }
}
