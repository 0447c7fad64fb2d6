import Dispatch
import Foundation
import Logging
import QuickActions
import Shortcuts
import Synchronization

/// Claims due deliveries from the queue, passes them to the transfer loop, and records the outcomes. Outcomes are recorded before the next
/// claim, so that a full disk never causes a second attempt.
///
/// `@unchecked`: the loop's thread owns everything except `inbox`, which its lock owns.
final class QueueLoop: @unchecked Sendable {
    private struct Inbox {
        var reports: [TransferLoop.Report] = []
        var changedEndpoints: Set<EndpointID> = []
        var drainBy: ContinuousClock.Instant?
    }

    private static let largestClaim = 256
    /// The maximum number of outcomes in one transaction.
    private static let largestRecord = 256
    /// How many deliveries are claimed ahead per endpoint while all endpoints answer quickly.
    private static let ahead = 128
    /// How long a claimed delivery may wait for its attempt. Other nodes may end its lease 15 seconds after this node's last heartbeat,
    /// which is at most ten seconds before the claim. So a process that was suspended never starts an attempt that another node may own.
    private static let longestWaitForAttempt = Duration.seconds(5)
    /// How much longer a lease is than an attempt.
    private static let margin = Duration.seconds(60)
    /// How long the loop waits while every due delivery belongs to a busy endpoint and no completed attempt wakes it.
    private static let blockedWait = Duration.seconds(1)
    /// Limits a sleep, because somebody may set the wall clock during it.
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

    /// The lease token and the endpoint of each delivery that is claimed and not yet recorded.
    private var leases: [DeliveryID: (token: String, endpointID: EndpointID)] = [:]
    private var lastReport = 0
    private var pace: Pace
    private var retries = UpcomingRetries()
    private var unrecorded: [DeliveryOutcome] = []
    private var unused: [DeliveryLease] = []
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
        pace = Pace(quick: configuration.quick)
        self.clock = clock
        self.random = random
        self.logger = logger
        self.observe = observe
    }

    func wake() { signal.raise() }

    func endpointsChanged(_ endpoints: Set<EndpointID>) {
        inbox.withLock { $0.changedEndpoints.formUnion(endpoints) }
        signal.raise()
    }

    func finished(_ report: TransferLoop.Report) {
        inbox.withLock { $0.reports.append(report) }
        signal.raise()
    }

    func drain(by deadline: ContinuousClock.Instant) {
        inbox.withLock { $0.drainBy = deadline }
        signal.raise()
    }

    /// Runs until it is drained.
    /// - Returns: whether every started attempt is recorded.
    func run(on transfers: TransferLoop) -> Bool {
        while true {
            let mail = inbox.withLock { inbox in
                defer { (inbox.reports, inbox.changedEndpoints) = ([], []) }
                return inbox
            }
            isDraining = mail.drainBy != nil
            // On this thread, so that earlier claims are already in the transfer loop's inbox.
            if !mail.changedEndpoints.isEmpty { transfers.dropQueued(for: mail.changedEndpoints) }
            for report in mail.reports {
                for attempt in report.attempts { addOutcome(of: attempt) }
                for id in report.dropped {
                    if let lease = leases.removeValue(forKey: id) { unused.append(DeliveryLease(deliveryID: id, token: lease.token)) }
                }
                lastReport = report.number
            }
            var wait = runOnce(transfers)
            if let deadline = mail.drainBy {
                if leases.isEmpty || ContinuousClock.now >= deadline { return leases.isEmpty }
                wait = min(wait, deadline - ContinuousClock.now)
            }
            if wait > .zero { signal.wait(atMost: wait) }
        }
    }

    /// Records, releases and claims once.
    /// - Returns: how long the loop may sleep unless it is woken.
    private func runOnce(_ transfers: TransferLoop) -> Duration {
        if let resumesAt, ContinuousClock.now < resumesAt { return resumesAt - ContinuousClock.now }
        do throws(Failure) {
            if !hasReleasedLeases {
                try queue.releaseAbandonedLeases(at: clock.now())
                hasReleasedLeases = true
            }
            try record()
            try release()
            let wait = isDraining ? Self.longestWait : try claim(for: transfers)
            (failures, resumesAt) = (0, nil)
            return wait
        } catch {
            return backOff(after: error)
        }
    }

    private func record() throws(Failure) {
        while !unrecorded.isEmpty {
            let batch = Array(unrecorded.prefix(Self.largestRecord))
            try record(batch)
            for outcome in batch { leases[outcome.deliveryID] = nil }
            unrecorded.removeFirst(batch.count)
        }
    }

    /// Records outcomes. If one cannot be recorded, the others are, and its delivery is quarantined: otherwise it would be attempted
    /// endlessly.
    private func record(_ batch: [DeliveryOutcome]) throws(Failure) {
        let now = clock.now()
        do throws(Failure) {
            try queue.record(batch, at: now, disableAfter: configuration.disableAfter.inMilliseconds)
        } catch {
            guard error.code == .internalError else { throw error }
            guard batch.count > 1 else {
                let leases = batch.map { DeliveryLease(deliveryID: $0.deliveryID, token: $0.leaseToken) }
                return try queue.quarantine(leases, because: error, at: now)
            }
            for outcome in batch { try record([outcome]) }
        }
    }

    private func release() throws(Failure) {
        guard !unused.isEmpty else { return }
        try queue.release(unused, at: clock.now(), tellingOthers: isDraining)
        unused = []
    }

    private func claim(for transfers: TransferLoop) throws(Failure) -> Duration {
        let free = configuration.inFlight - leases.count
        guard free > 0 else { return Self.longestWait }
        let limit = min(free, Self.largestClaim)
        let now = clock.now()
        let batch = TransferLoop.Batch(startBy: .now + Self.longestWaitForAttempt, recordedReport: lastReport)
        let (perEndpoint, ahead) = share(free: free)
        let claimed = try queue.claimDue(
            at: now, limit: limit, perEndpoint: perEndpoint, ahead: ahead,
            lease: (configuration.timeout + Self.margin).inMilliseconds)
        transfers.begin(claimed.filter(isNew), batch)
        if claimed.count >= limit { return .zero }
        let due = try queue.nextDue()
        // A due delivery that was not claimed belongs to a busy endpoint, whose next completed attempt wakes the loop. Until then,
        // `nextDue` hides later times.
        let isBlocked = due.map { $0 <= now } ?? false
        let next = [isBlocked ? now.adding(Self.blockedWait.inMilliseconds) : due, retries.next(after: now)].compactMap(\.self).min()
        let wait = next.map { Duration.milliseconds(max($0.milliseconds - clock.now().milliseconds, 0)) }
        return min(wait ?? Self.longestWait, Self.longestWait)
    }

    /// False for a delivery whose lease expired during its attempt: the attempt in flight is recorded under the new lease.
    private func isNew(_ delivery: ClaimedDelivery) -> Bool {
        leases.updateValue((delivery.leaseToken, delivery.endpoint.id), forKey: delivery.id) == nil
    }

    /// The share of an endpoint shrinks as the total fills up, so that slow endpoints leave room for the others.
    private func share(free: Int) -> (perEndpoint: Int, ahead: Int) {
        let most = configuration.inFlightPerEndpoint
        guard free > configuration.inFlight / 2 else {
            let few = free > configuration.inFlight / 4 ? max(most / 4, 1) : 1
            return (few, few)
        }
        return (most, pace.areAllQuick(leases.values.lazy.map(\.endpointID), at: .now) ? max(Self.ahead, most) : most)
    }

    private func addOutcome(of attempt: FinishedAttempt) {
        let lease = leases[attempt.delivery.id]?.token ?? attempt.delivery.leaseToken
        let outcome = configuration.schedule.outcome(of: attempt, leaseToken: lease, now: clock.now(), random: random)
        unrecorded.append(outcome)
        if case .retry(let time) = outcome.next { retries.add(time, now: clock.now()) }
        pace.note(attempt, at: .now)
        observe(AttemptReport(outcome, attempt))
        logger.debug(
            "webhook attempt",
            metadata: [
                "delivery": "\(outcome.deliveryID)", "endpoint": "\(outcome.endpointID)",
                "status": outcome.attempt.status.map { .stringConvertible($0) } ?? "none",
                "milliseconds": .stringConvertible(outcome.attempt.durationMilliseconds), "error": "\(outcome.attempt.error ?? "none")",
            ])
    }

    private func backOff(after failure: Failure) -> Duration {
        let wait = Self.backoff[min(failures, Self.backoff.count - 1)]
        failures += 1
        resumesAt = .now + wait
        // Logged for the first failure and for every 60th.
        if failures == 1 || failures % 60 == 0 {
            logger.error(
                "webhook queue unavailable",
                metadata: [
                    "code": "\(failure.code.rawValue)", "cause": "\(failure.cause ?? failure.detail)",
                    "unrecorded": .stringConvertible(unrecorded.count), "failures": .stringConvertible(failures),
                ])
        }
        return wait
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

/// The times of the retries within the next 30 seconds. The queue's `nextDue` does not report them while a busy endpoint has a delivery
/// that is due earlier. Bounded: times are rounded up to 8 ms and stored once.
struct UpcomingRetries {
    private static let grain: Int64 = 8
    private static let horizon: Int64 = 30_000

    private var times: Set<Int64> = []

    mutating func add(_ time: Timestamp, now: Timestamp) {
        guard time > now, time.milliseconds - now.milliseconds < Self.horizon else { return }
        if times.count > Self.horizon / Self.grain { times = times.filter { $0 > now.milliseconds } }
        times.insert((time.milliseconds + Self.grain - 1) / Self.grain * Self.grain)
    }

    func next(after now: Timestamp) -> Timestamp? {
        times.lazy.filter { $0 > now.milliseconds }.min().map { Timestamp(milliseconds: $0) }
    }
}

/// A binary event that wakes one waiting thread. Several raises before the wait count as one.
final class Signal: Sendable {
    private let isRaised = Mutex(false)
    private let semaphore = DispatchSemaphore(value: 0)

    func raise() {
        let isNew = isRaised.withLock { raised in
            defer { raised = true }
            return !raised
        }
        if isNew { semaphore.signal() }
    }

    /// Blocks until the signal is raised or the time is over, then resets it.
    func wait(atMost duration: Duration) {
        _ = semaphore.wait(timeout: .now() + .milliseconds(Int(max(duration.inMilliseconds, 0))))
        isRaised.withLock { $0 = false }
    }
}
