import CCurl
import Dispatch
import Logging
import Platform
import QuickActions
import Shortcuts
import Synchronization

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

extension Dispatcher {
    package struct Configuration: Sendable {
        package var schedule = RetrySchedule.standard
        /// The time limit of a whole attempt, from the name look-up to the last byte.
        package var timeout = Duration.seconds(15)
        /// The time limit of the name look-up and the connection with its TLS handshake.
        package var connectTimeout = Duration.seconds(5)
        package var addressGuard = AddressGuard()
        package var httpsOnly = false
        /// An endpoint is disabled after this time without a success since its first failure.
        package var disableAfter = Duration.seconds(120 * 3600)
        /// The limit of concurrent attempts to one endpoint.
        package var inFlightPerEndpoint = 8
        /// Endpoints that answer within this time get deliveries ahead.
        package var quick = Duration.milliseconds(100)
        /// The limit of concurrent attempts. Each takes a file descriptor.
        package var inFlight = 512
        /// The limit of concurrent name look-ups. Each takes a thread.
        package var lookups = 32
        /// Certificate authorities (PEM) that are trusted in addition to the system's.
        package var authorities: [UInt8]?
        /// Follows `Longpress/` in `User-Agent`.
        package var version: String

        package init(version: String) {
            self.version = version
        }
    }
}

/// One attempt, for the metrics.
package struct AttemptReport: Sendable {
    package enum Outcome: String, Sendable, CaseIterable {
        case delivered, failed, exhausted
    }

    package let outcome: Outcome
    package let duration: Duration
    package let status: Int?
    package let reusedConnection: Bool
}

extension Dispatcher {
    /// The version of libcurl that this process is linked with at run time.
    package static var libcurlVersion: String {
        curl_version_info(CURLVERSION_FIRST).map { String(cString: $0.pointee.version) } ?? "unknown"
    }
}
