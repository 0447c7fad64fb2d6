import QuickActions
import Shortcuts

/// Which claimed deliveries may begin: a bounded number to one endpoint, none while it asks to be left alone.
///
/// More are claimed for an endpoint that answers quickly than may run at once, so that the next begins while outcomes
/// are still being written. What cannot begin as long as its lease covers the whole attempt is given back, and so is
/// what waits for an endpoint that was changed since the claim.
struct Admission {
    private struct Lane {
        var inFlight = 0
        /// The first claimed first, so what is to start the soonest. A slice, for what begins is taken off its front.
        var waiting: ArraySlice<(delivery: ClaimedDelivery, startBy: ContinuousClock.Instant)> = []
        var pause: Pause?

        /// - Returns: what no longer covers an attempt, in its order.
        mutating func takeLate(at instant: ContinuousClock.Instant) -> [String] {
            let late = waiting.prefix { $0.startBy <= instant }.map(\.delivery.id)
            waiting.removeFirst(late.count)
            return late
        }

        mutating func takeAll() -> [String] {
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
    private var lanes: [String: Lane] = [:]
    private var lanesWithWaiting: Set<String> = []

    /// What was dropped since it was last taken.
    private(set) var dropped: [String] = []

    init(perEndpoint: Int) {
        self.perEndpoint = max(perEndpoint, 1)
    }

    /// - Parameter informed: the last report that was written down before these were claimed. What is claimed in spite
    ///   of a pause the queue knows of may go: an operator has lifted it, or it is over.
    mutating func add(_ deliveries: [ClaimedDelivery], startBy: ContinuousClock.Instant, informed: Int) {
        for delivery in deliveries {
            let id = delivery.endpoint.id
            if let pause = lanes[id]?.pause, pause.report <= informed { lanes[id]?.pause = nil }
            if let pause = lanes[id]?.pause, pause.until == nil {
                dropped.append(delivery.id)
            } else {
                // In place: a lane that is taken out and put back is copied with all that waits in it.
                lanes[id, default: Lane()].waiting.append((delivery, startBy))
                lanesWithWaiting.insert(id)
            }
        }
    }

    /// An attempt has ended: room for the next, unless the answer says otherwise.
    /// - Parameter report: the number of the report that will tell of it.
    mutating func ended(_ delivery: ClaimedDelivery, _ result: AttemptResult, now: Timestamp, report: Int) {
        let id = delivery.endpoint.id
        guard var lane = lanes.removeValue(forKey: id) else { return }
        lane.inFlight -= 1
        if result.isGone {
            lane.pause = Pause(until: nil, report: report)
            dropped += lane.takeAll()
            lanesWithWaiting.remove(id)
        } else if let wish = result.retryAfter(now: now), lane.pause.map({ $0.until != nil }) ?? true {
            let end = now.adding(wish.milliseconds)
            lane.pause = Pause(until: max(lane.pause?.until ?? end, end), report: report)
        }
        keep(lane, id)
    }

    /// Takes what may begin now.
    mutating func admitted(now: Timestamp, at instant: ContinuousClock.Instant) -> [ClaimedDelivery] {
        var begun: [ClaimedDelivery] = []
        for id in lanesWithWaiting {
            guard var lane = lanes.removeValue(forKey: id) else { continue }
            dropped += lane.takeLate(at: instant)
            if let until = lane.pause?.until, until <= now { lane.pause = nil }
            if lane.pause == nil {
                let room = min(max(perEndpoint - lane.inFlight, 0), lane.waiting.count)
                begun += lane.waiting.prefix(room).map(\.delivery)
                lane.waiting.removeFirst(room)
                lane.inFlight += room
            }
            if lane.waiting.isEmpty { lanesWithWaiting.remove(id) }
            keep(lane, id)
        }
        return begun
    }

    /// Gives back what waits for endpoints that are no longer what they were when it was claimed.
    mutating func drop(for endpoints: Set<String>) {
        for id in endpoints.intersection(lanesWithWaiting) {
            guard var lane = lanes.removeValue(forKey: id) else { continue }
            dropped += lane.takeAll()
            lanesWithWaiting.remove(id)
            keep(lane, id)
        }
    }

    mutating func dropAll() {
        drop(for: lanesWithWaiting)
    }

    mutating func takeDropped() -> [String] {
        defer { dropped = [] }
        return dropped
    }

    /// When a hold ends that something waits for, in milliseconds from now.
    func nextHoldEnd(from now: Timestamp) -> Int64? {
        lanesWithWaiting.compactMap { lanes[$0]?.pause?.until }.min().map { max($0.milliseconds - now.milliseconds, 0) }
    }

    private mutating func keep(_ lane: Lane, _ id: String) {
        if lane.inFlight > 0 || !lane.waiting.isEmpty || lane.pause != nil { lanes[id] = lane }
    }
}
