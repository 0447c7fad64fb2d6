import Foundation
import Logging
import Shortcuts
import Synchronization

/// Takes due deliveries from the queue, has them attempted, and writes down what came of them: outcomes first, so that
/// nothing is claimed while an outcome is not yet safe, and an attempt is never made twice because of a full disk.
///
/// Unchecked: all but `inbox` belongs to the loop's thread.
final class QueueLoop: @unchecked Sendable {
    private struct Inbox {
        var finished: [FinishedAttempt] = []
        var drainBy: ContinuousClock.Instant?
    }

    private static let largestClaim = 256
    /// Longer than any attempt; what a living process has claimed is not taken by another.
    private static let leaseBeyondTimeout = Duration.seconds(60)
    /// When something is due that cannot be taken (its endpoint is busy), a completion wakes the loop; this is for the rest.
    private static let blockedWait = Duration.seconds(1)
    /// The wall clock may be set while the loop sleeps.
    private static let longestWait = Duration.seconds(30)
    private static let backoff = [Duration.milliseconds(100), .milliseconds(250), .milliseconds(500), .seconds(1)]

    private let queue: any DeliveryQueue
    private let configuration: Dispatcher.Configuration
    private let clock: any WallClock
    private let random: RandomSource
    private let logger: Logger
    private let observe: @Sendable (AttemptReport) -> Void
    private let signal = Signal()
    private let inbox = Mutex(Inbox())

    /// The lease under which each delivery that is not yet recorded may be.
    private var leases: [String: String] = [:]
    private var unrecorded: [DeliveryOutcome] = []
    private var hasReleasedLeases = false
    private var failures = 0
    private var resumesAt: ContinuousClock.Instant?
    private var isDraining = false

    init(
        _ queue: any DeliveryQueue, _ configuration: Dispatcher.Configuration, clock: any WallClock,
        random: @escaping RandomSource, logger: Logger, observe: @escaping @Sendable (AttemptReport) -> Void
    ) {
        self.queue = queue
        self.configuration = configuration
        self.clock = clock
        self.random = random
        self.logger = logger
        self.observe = observe
    }

    func wake() { signal.raise() }

    func finished(_ attempts: [FinishedAttempt]) {
        inbox.withLock { $0.finished += attempts }
        signal.raise()
    }

    func drain(by deadline: ContinuousClock.Instant) {
        inbox.withLock { $0.drainBy = deadline }
        signal.raise()
    }

    /// Runs until it is drained.
    /// - Returns: whether all that was begun is recorded.
    func run(begin: ([SignedRequest]) -> Void) -> Bool {
        while true {
            let mail = inbox.withLock { inbox in
                defer { inbox.finished = [] }
                return inbox
            }
            isDraining = mail.drainBy != nil
            for attempt in mail.finished { settle(attempt) }
            var wait = turn(begin)
            if let deadline = mail.drainBy {
                if leases.isEmpty || ContinuousClock.now >= deadline { return leases.isEmpty }
                wait = min(wait, deadline - ContinuousClock.now)
            }
            if wait > .zero { signal.wait(atMost: wait) }
        }
    }

    /// One round with the queue.
    /// - Returns: how long nothing is to be done unless the loop is woken.
    private func turn(_ begin: ([SignedRequest]) -> Void) -> Duration {
        if let resumesAt, ContinuousClock.now < resumesAt { return resumesAt - ContinuousClock.now }
        do throws(Failure) {
            if !hasReleasedLeases {
                try queue.releaseAbandonedLeases()
                hasReleasedLeases = true
            }
            try record()
            let wait = isDraining ? Self.longestWait : try claim(begin)
            (failures, resumesAt) = (0, nil)
            return wait
        } catch {
            return backOff(after: error)
        }
    }

    private func record() throws(Failure) {
        guard !unrecorded.isEmpty else { return }
        try queue.record(unrecorded, at: clock.now(), disableAfter: configuration.disableAfter.inMilliseconds)
        for outcome in unrecorded { leases[outcome.deliveryID] = nil }
        unrecorded = []
    }

    private func claim(_ begin: ([SignedRequest]) -> Void) throws(Failure) -> Duration {
        let free = configuration.inFlight - leases.count
        guard free > 0 else { return Self.longestWait }
        let limit = min(free, Self.largestClaim)
        let now = clock.now()
        let claimed = try queue.claimDue(
            at: now, limit: limit, perEndpoint: perEndpoint(free: free),
            lease: (configuration.timeout + Self.leaseBeyondTimeout).inMilliseconds)
        begin(requests(for: claimed))
        if claimed.count >= limit || !unrecorded.isEmpty { return .zero }
        guard let due = try queue.nextDue() else { return Self.longestWait }
        guard due > now else { return Self.blockedWait }
        return min(.milliseconds(max(due.milliseconds - clock.now().milliseconds, 0)), Self.longestWait)
    }

    /// Each endpoint's share shrinks as the whole fills up, so that many that hang leave room for those that answer.
    private func perEndpoint(free: Int) -> Int {
        if free > configuration.inFlight / 2 { return configuration.inFlightPerEndpoint }
        return free > configuration.inFlight / 4 ? max(configuration.inFlightPerEndpoint / 4, 1) : 1
    }

    private func requests(for claimed: [ClaimedDelivery]) -> [SignedRequest] {
        var requests: [SignedRequest] = []
        for delivery in claimed {
            // Claimed again while it runs (its lease ran out): the attempt under way counts, under the new lease.
            let isRunning = leases.updateValue(delivery.leaseToken, forKey: delivery.id) != nil
            if isRunning { continue }
            let time = clock.now()
            do throws(SignedRequest.Refusal) {
                requests.append(try SignedRequest(delivery, at: time, configuration))
            } catch {
                settle(FinishedAttempt(delivery, startedAt: time, duration: .zero, result: error.result))
            }
        }
        return requests
    }

    private func settle(_ attempt: FinishedAttempt) {
        let lease = leases[attempt.delivery.id] ?? attempt.delivery.leaseToken
        let outcome = configuration.schedule.outcome(of: attempt, leaseToken: lease, now: clock.now(), random: random)
        unrecorded.append(outcome)
        observe(AttemptReport(outcome, attempt))
        logger.debug(
            "webhook attempt",
            metadata: [
                "delivery": "\(outcome.deliveryID)", "endpoint": "\(outcome.endpointID)",
                "status": "\(outcome.attempt.status.map(String.init) ?? "none")",
                "milliseconds": "\(outcome.attempt.durationMilliseconds)", "error": "\(outcome.attempt.error ?? "none")",
            ])
    }

    private func backOff(after failure: Failure) -> Duration {
        let wait = Self.backoff[min(failures, Self.backoff.count - 1)]
        failures += 1
        resumesAt = .now + wait
        // Once at the beginning, then now and then.
        if failures == 1 || failures % 60 == 0 {
            logger.error(
                "webhook queue unavailable",
                metadata: [
                    "code": "\(failure.code.rawValue)", "cause": "\(failure.cause ?? failure.detail)",
                    "unrecorded": "\(unrecorded.count)", "failures": "\(failures)",
                ])
        }
        return wait
    }
}

extension SignedRequest.Refusal {
    fileprivate var result: AttemptResult {
        switch self {
        case .url(let refusal): .refused(error: refusal.message)
        case .secret: .failed(error: AttemptError.unreadableSecret, nil)
        }
    }
}

extension AttemptReport {
    fileprivate init(_ outcome: DeliveryOutcome, _ attempt: FinishedAttempt) {
        switch outcome.next {
        case .delivered: self.outcome = .delivered
        case .retry: self.outcome = .failed
        case .exhausted: self.outcome = .exhausted
        }
        duration = attempt.duration
        status = outcome.attempt.status
        reusedConnection = attempt.reusedConnection
    }
}
