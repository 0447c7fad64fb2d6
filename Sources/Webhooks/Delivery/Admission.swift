import QuickActions
import Shortcuts

/// Which claimed deliveries may begin: a bounded number to one endpoint, none while it asks to be left alone.
///
/// More are claimed for an endpoint that answers quickly than may run at once, so that the next begins while outcomes
/// are still being written. What cannot begin as long as its lease covers the whole attempt is given back, and so is
/// what waits for an endpoint that was changed since the claim.
struct Admission {
    private struct EndpointQueue {
        var inFlight = 0
        /// The first claimed first, so what is to start the soonest. A slice, for what begins is taken off its front.
        var waiting: ArraySlice<(delivery: ClaimedDelivery, startBy: ContinuousClock.Instant)> = []
        var pause: Pause?

        /// - Returns: what no longer covers an attempt, in its order.
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

    /// What an answer asked for, until the queue knows of it.
    private struct Pause {
        /// Nil where the endpoint is gone.
        var until: Timestamp?
        /// The number of the report that tells the queue.
        var report: Int
    }

    private let perEndpoint: Int
    private var queues: [EndpointID: EndpointQueue] = [:]
    private var waitingEndpoints: Set<EndpointID> = []

    /// What was dropped since it was last taken.
    private(set) var dropped: [DeliveryID] = []

    init(perEndpoint: Int) {
        self.perEndpoint = max(perEndpoint, 1)
    }

    /// - Parameter informed: the last report that was written down before these were claimed. What is claimed in spite
    ///   of a pause the queue knows of may go: an operator has lifted it, or it is over.
    mutating func add(_ deliveries: [ClaimedDelivery], startBy: ContinuousClock.Instant, informed: Int) {
        for delivery in deliveries {
            let id = delivery.endpoint.id
            if let pause = queues[id]?.pause, pause.report <= informed { queues[id]?.pause = nil }
            if let pause = queues[id]?.pause, pause.until == nil {
                dropped.append(delivery.id)
            } else {
                // In place: a queue that is taken out and put back is copied with all that waits in it.
                queues[id, default: EndpointQueue()].waiting.append((delivery, startBy))
                waitingEndpoints.insert(id)
            }
        }
    }

    /// An attempt has ended: room for the next, unless the answer says otherwise.
    /// - Parameter report: the number of the report that will tell of it.
    mutating func ended(_ delivery: ClaimedDelivery, _ result: AttemptResult, now: Timestamp, report: Int) {
        let id = delivery.endpoint.id
        guard var queue = queues.removeValue(forKey: id) else { return }
        queue.inFlight -= 1
        if result.isGone {
            queue.pause = Pause(until: nil, report: report)
            dropped += queue.takeAll()
            waitingEndpoints.remove(id)
        } else if let wish = result.retryAfter(now: now), queue.pause.map({ $0.until != nil }) ?? true {
            let end = now.adding(wish.milliseconds)
            queue.pause = Pause(until: max(queue.pause?.until ?? end, end), report: report)
        }
        keep(queue, id)
    }

    /// Takes what may begin now.
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

    /// Gives back what waits for endpoints that are no longer what they were when it was claimed.
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

    /// When a hold ends that something waits for, in milliseconds from now.
    func nextHoldEnd(from now: Timestamp) -> Int64? {
        waitingEndpoints.compactMap { queues[$0]?.pause?.until }.min().map { max($0.milliseconds - now.milliseconds, 0) }
    }

    private mutating func keep(_ queue: EndpointQueue, _ id: EndpointID) {
        if queue.inFlight > 0 || !queue.waiting.isEmpty || queue.pause != nil { queues[id] = queue }
    }
}
