import Foundation
import Logging
import QuickActions
import Shortcuts
import Synchronization

/// Takes due deliveries from the queue, has them attempted, and writes down what came of them: outcomes first, so that
/// nothing is claimed while an outcome is not yet safe, and an attempt is never made twice because of a full disk.
///
/// Unchecked: all but `inbox` belongs to the loop's thread.
final class QueueLoop: @unchecked Sendable {
    private struct Inbox {
        var reports: [TransferLoop.Report] = []
        var changedEndpoints: Set<EndpointID> = []
        var drainBy: ContinuousClock.Instant?
    }

    private static let largestClaim = 256
    /// Claimed ahead for each endpoint while all answer quickly.
    private static let ahead = 128
    /// How long a claimed delivery may wait for its turn, and then for its outcome to be written.
    private static let (waitInLease, recordInLease) = (Duration.seconds(30), Duration.seconds(30))
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

    /// The lease under which each delivery that is not yet recorded may be, and its endpoint.
    private var leases: [DeliveryID: (token: String, endpointID: EndpointID)] = [:]
    private var lastReport = 0
    private var pace = Pace()
    private var retries = UpcomingTimes()
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
    /// - Returns: whether all that was begun is recorded.
    func run(on transfers: TransferLoop) -> Bool {
        while true {
            let mail = inbox.withLock { inbox in
                defer { (inbox.reports, inbox.changedEndpoints) = ([], []) }
                return inbox
            }
            isDraining = mail.drainBy != nil
            // From here, so that what was claimed before the change has been handed on before.
            if !mail.changedEndpoints.isEmpty { transfers.giveBack(for: mail.changedEndpoints) }
            for report in mail.reports {
                for attempt in report.attempts { settle(attempt) }
                for id in report.dropped {
                    if let lease = leases.removeValue(forKey: id) { unused.append(DeliveryLease(deliveryID: id, token: lease.token)) }
                }
                lastReport = report.number
            }
            var wait = turn(transfers)
            if let deadline = mail.drainBy {
                if leases.isEmpty || ContinuousClock.now >= deadline { return leases.isEmpty }
                wait = min(wait, deadline - ContinuousClock.now)
            }
            if wait > .zero { signal.wait(atMost: wait) }
        }
    }

    /// One round with the queue.
    /// - Returns: how long nothing is to be done unless the loop is woken.
    private func turn(_ transfers: TransferLoop) -> Duration {
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
        guard !unrecorded.isEmpty else { return }
        try queue.record(unrecorded, at: clock.now(), disableAfter: configuration.disableAfter.inMilliseconds)
        for outcome in unrecorded { leases[outcome.deliveryID] = nil }
        unrecorded = []
    }

    private func release() throws(Failure) {
        guard !unused.isEmpty else { return }
        try queue.release(unused, at: clock.now())
        unused = []
    }

    private func claim(for transfers: TransferLoop) throws(Failure) -> Duration {
        let free = configuration.inFlight - leases.count
        guard free > 0 else { return Self.longestWait }
        let limit = min(free, Self.largestClaim)
        let now = clock.now()
        let batch = TransferLoop.Batch(startBy: .now + Self.waitInLease, informed: lastReport)
        let claimed = try queue.claimDue(
            at: now, limit: limit, perEndpoint: perEndpoint(free: free),
            lease: (Self.waitInLease + configuration.timeout + Self.recordInLease).inMilliseconds)
        transfers.begin(claimed.filter(isNew), batch)
        if claimed.count >= limit { return .zero }
        let due = try queue.nextDue()
        // What is due already could not be taken, for its endpoint is busy: a completion wakes the loop. Until then the
        // queue's answer hides what comes after it.
        let isBlocked = due.map { $0 <= now } ?? false
        let next = [isBlocked ? now.adding(Self.blockedWait.inMilliseconds) : due, retries.next(after: now)].compactMap(\.self).min()
        let wait = next.map { Duration.milliseconds(max($0.milliseconds - clock.now().milliseconds, 0)) }
        return min(wait ?? Self.longestWait, Self.longestWait)
    }

    /// Claimed again while it runs (its lease ran out): the attempt under way counts, under the new lease.
    private func isNew(_ delivery: ClaimedDelivery) -> Bool {
        leases.updateValue((delivery.leaseToken, delivery.endpoint.id), forKey: delivery.id) == nil
    }

    /// Each endpoint's share shrinks as the whole fills up, so that many that hang leave room for those that answer.
    private func perEndpoint(free: Int) -> Int {
        let most = configuration.inFlightPerEndpoint
        guard free > configuration.inFlight / 2 else {
            return free > configuration.inFlight / 4 ? max(most / 4, 1) : 1
        }
        return pace.areAllQuick(leases.values.lazy.map(\.endpointID), at: .now) ? max(Self.ahead, most) : most
    }

    private func settle(_ attempt: FinishedAttempt) {
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
        // Once at the beginning, then now and then.
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
