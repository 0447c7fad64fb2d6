import Dispatch
import Logging
import QuickActions
import Shortcuts
import Synchronization
import Threads

/// Sends what is due. Two threads: one speaks with the queue, one with the endpoints, so that neither a slow disk nor
/// a slow endpoint holds up the other.
package final class Dispatcher: Sendable {
    private enum State { case idle, running, draining }

    private let queueLoop: QueueLoop
    private let transferLoop: TransferLoop
    private let state = Mutex(State.idle)
    private let ended = DispatchSemaphore(value: 0)
    private let endedCleanly = Atomic(false)

    /// - Parameters:
    ///   - lookUp: the addresses of a host name; it may block.
    ///   - observe: told of each attempt, on the dispatcher's thread.
    package init(
        queue: any DeliveryQueue, configuration: Configuration, clock: any WallClock = SystemClock(),
        random: @escaping RandomSource = systemRandom, lookUp: @escaping @Sendable (String) -> LookupResult = LookupResult.system,
        logger: Logger, observe: @escaping @Sendable (AttemptReport) -> Void = { _ in }
    ) {
        let queueLoop = QueueLoop(queue, configuration, clock: clock, random: random, logger: logger, observe: observe)
        self.queueLoop = queueLoop
        transferLoop = TransferLoop(configuration, clock: clock, lookUp: lookUp) { queueLoop.finished($0) }
    }

    /// Voids the leases of a process that died, then delivers until it is drained.
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

    /// To be called after each commit that may have made something due. It does not block.
    package func wake() { queueLoop.wake() }

    /// To be called after each commit that changed, disabled or deleted endpoints: no attempt begins from then on that goes
    /// by what they were. It does not block.
    package func endpointsChanged(_ endpoints: Set<EndpointID>) {
        // At once, and once more behind what the queue's thread has claimed and not yet handed on.
        transferLoop.giveBack(for: endpoints)
        queueLoop.endpointsChanged(endpoints)
    }

    /// Takes nothing more, lets what is running come to its end and be recorded, and stops. What is still running
    /// after the time is abandoned without a record; it is due again after the next start.
    /// - Returns: whether nothing was abandoned.
    package func drain(timeout: Duration) -> Bool {
        let wasRunning = state.withLock { state in
            guard case .running = state else { return false }
            state = .draining
            return true
        }
        guard wasRunning else { return true }
        queueLoop.drain(by: .now + timeout)
        transferLoop.drain()
        // A second more for a queue that is in the middle of a transaction.
        let isOver = ended.wait(timeout: .now() + .milliseconds(Int(timeout.inMilliseconds) + 1000)) == .success
        return isOver && endedCleanly.load(ordering: .acquiring)
    }
}
