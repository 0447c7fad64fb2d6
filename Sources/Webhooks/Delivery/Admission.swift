import QuickActions
import Shortcuts

/// Admission control: at most `perEndpoint` deliveries to one endpoint are in flight, and none during a pause that the endpoint requested.
///
/// More deliveries are claimed for fast endpoints than may be in flight, so that the next one starts while outcomes are recorded. A queued
/// delivery is dropped if its lease no longer covers a whole attempt, or if its endpoint was changed after the claim.
struct Admission {
    private struct EndpointQueue {
        var inFlight = 0
        /// In claim order, which is also the order of `startBy`. A slice, because deliveries are removed at its front.
        var waiting: ArraySlice<(delivery: ClaimedDelivery, startBy: ContinuousClock.Instant)> = []
        var pause: Pause?

        /// Removes the deliveries whose lease no longer covers an attempt.
        mutating func takeLate(at instant: ContinuousClock.Instant) -> [DeliveryID] {
            let late = waiting.prefix { $0.startBy <= instant }.map(\.delivery.id)
            waiting.removeFirst(late.count)
            return late
        }

        mutating func takeAll() -> [DeliveryID] {
            defer { waiting = [] }
            return waiting.map(\.delivery.id)
        }
    }

    /// A pause that an answer requested, until the queue has recorded it.
    private struct Pause {
        /// Nil if the endpoint answered 410.
        var until: Timestamp?
        /// The number of the report with which the queue records it.
        var report: Int
    }

    private let perEndpoint: Int
    private var queues: [EndpointID: EndpointQueue] = [:]
    private var waitingEndpoints: Set<EndpointID> = []

    /// The deliveries that were dropped since the last `takeDropped`.
    private(set) var dropped: [DeliveryID] = []

    init(perEndpoint: Int) {
        self.perEndpoint = max(perEndpoint, 1)
    }

    /// - Parameter recordedReport: the last report that was recorded before the claim. A delivery that was claimed although the pause was
    ///   recorded may start: an operator has lifted the pause, or it is over.
    mutating func add(_ deliveries: [ClaimedDelivery], startBy: ContinuousClock.Instant, recordedReport: Int) {
        for delivery in deliveries {
            let id = delivery.endpoint.id
            if let pause = queues[id]?.pause, pause.report <= recordedReport { queues[id]?.pause = nil }
            if let pause = queues[id]?.pause, pause.until == nil {
                dropped.append(delivery.id)
            } else {
                // In place: taking the queue out of the dictionary and putting it back would copy it.
                queues[id, default: EndpointQueue()].waiting.append((delivery, startBy))
                waitingEndpoints.insert(id)
            }
        }
    }

    /// Frees the slot of a finished attempt, and begins a pause if the answer requests one.
    /// - Parameter report: the number of the report that will contain the attempt.
    mutating func ended(_ delivery: ClaimedDelivery, _ result: AttemptResult, now: Timestamp, report: Int) {
        let id = delivery.endpoint.id
        guard var queue = queues.removeValue(forKey: id) else { return }
        queue.inFlight -= 1
        if result.isRemoved {
            queue.pause = Pause(until: nil, report: report)
            dropped += queue.takeAll()
            waitingEndpoints.remove(id)
        } else if let retryAfter = result.retryAfter(now: now), queue.pause.map({ $0.until != nil }) ?? true {
            let end = now.adding(retryAfter.milliseconds)
            queue.pause = Pause(until: max(queue.pause?.until ?? end, end), report: report)
        }
        keep(queue, id)
    }

    /// Removes and returns the deliveries that may start now.
    mutating func admitted(now: Timestamp, at instant: ContinuousClock.Instant) -> [ClaimedDelivery] {
        var begun: [ClaimedDelivery] = []
        for id in waitingEndpoints {
            guard var queue = queues.removeValue(forKey: id) else { continue }
            dropped += queue.takeLate(at: instant)
            if let until = queue.pause?.until, until <= now { queue.pause = nil }
            if queue.pause == nil {
                let room = min(max(perEndpoint - queue.inFlight, 0), queue.waiting.count)
                begun += queue.waiting.prefix(room).map(\.delivery)
                queue.waiting.removeFirst(room)
                queue.inFlight += room
            }
            if queue.waiting.isEmpty { waitingEndpoints.remove(id) }
            keep(queue, id)
        }
        return begun
    }

    /// Drops the queued deliveries to endpoints that were changed after the claim.
    mutating func drop(for endpoints: Set<EndpointID>) {
        for id in endpoints.intersection(waitingEndpoints) {
            guard var queue = queues.removeValue(forKey: id) else { continue }
            dropped += queue.takeAll()
            waitingEndpoints.remove(id)
            keep(queue, id)
        }
    }

    mutating func dropAll() {
        drop(for: waitingEndpoints)
    }

    mutating func takeDropped() -> [DeliveryID] {
        defer { dropped = [] }
        return dropped
    }

    /// When the next pause with queued deliveries ends, in milliseconds from now.
    func nextHoldEnd(from now: Timestamp) -> Int64? {
        waitingEndpoints.compactMap { queues[$0]?.pause?.until }.min().map { max($0.milliseconds - now.milliseconds, 0) }
    }

    private mutating func keep(_ queue: EndpointQueue, _ id: EndpointID) {
        if queue.inFlight > 0 || !queue.waiting.isEmpty || queue.pause != nil { queues[id] = queue }
    }
}
