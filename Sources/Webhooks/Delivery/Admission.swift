import Shortcuts

/// Which claimed deliveries may begin: a bounded number to one endpoint, none while it asks to be left alone.
///
/// More are claimed for an endpoint that answers quickly than may run at once, so that the next begins while outcomes
/// are still being written. What cannot begin as long as its lease covers the whole attempt is dropped; it is due
/// again when the lease has ended.
struct Admission {
    private struct Lane {
        var inFlight = 0
        var waiting: [(delivery: ClaimedDelivery, startBy: ContinuousClock.Instant)] = []
        var holdUntil: Timestamp?
    }

    private let perEndpoint: Int
    private var lanes: [String: Lane] = [:]
    private var lanesWithWaiting: Set<String> = []

    /// What was dropped since it was last taken.
    private(set) var dropped: [String] = []

    init(perEndpoint: Int) {
        self.perEndpoint = max(perEndpoint, 1)
    }

    mutating func add(_ deliveries: [ClaimedDelivery], startBy: ContinuousClock.Instant) {
        for delivery in deliveries {
            lanes[delivery.endpoint.id, default: Lane()].waiting.append((delivery, startBy))
            lanesWithWaiting.insert(delivery.endpoint.id)
        }
    }

    /// An attempt has ended: room for the next, unless the answer says otherwise.
    mutating func ended(_ delivery: ClaimedDelivery, _ result: AttemptResult, now: Timestamp) {
        let id = delivery.endpoint.id
        guard var lane = lanes[id] else { return }
        lane.inFlight -= 1
        if let wish = result.retryAfter(now: now) {
            let end = now.adding(wish.milliseconds)
            lane.holdUntil = max(lane.holdUntil ?? end, end)
        }
        if result.isGone {
            dropped += lane.waiting.map(\.delivery.id)
            lane.waiting = []
            lanesWithWaiting.remove(id)
        }
        let isIdle = lane.inFlight == 0 && lane.waiting.isEmpty
        lanes[id] = isIdle ? nil : lane
    }

    /// Takes what may begin now.
    mutating func admitted(now: Timestamp, at instant: ContinuousClock.Instant) -> [ClaimedDelivery] {
        var begun: [ClaimedDelivery] = []
        for id in lanesWithWaiting {
            guard var lane = lanes[id] else { continue }
            dropped += lane.waiting.filter { $0.startBy <= instant }.map(\.delivery.id)
            lane.waiting.removeAll { $0.startBy <= instant }
            if lane.holdUntil.map({ $0 <= now }) ?? true {
                let room = min(max(perEndpoint - lane.inFlight, 0), lane.waiting.count)
                begun += lane.waiting.prefix(room).map(\.delivery)
                lane.waiting.removeFirst(room)
                (lane.inFlight, lane.holdUntil) = (lane.inFlight + room, nil)
            }
            if lane.waiting.isEmpty { lanesWithWaiting.remove(id) }
            lanes[id] = lane.waiting.isEmpty && lane.inFlight == 0 ? nil : lane
        }
        return begun
    }

    mutating func dropAll() {
        for (id, lane) in lanes {
            dropped += lane.waiting.map(\.delivery.id)
            lanes[id]?.waiting = []
        }
        lanesWithWaiting = []
    }

    mutating func takeDropped() -> [String] {
        defer { dropped = [] }
        return dropped
    }

    /// When a hold ends that something waits for, in milliseconds from now.
    func nextHoldEnd(from now: Timestamp) -> Int64? {
        lanesWithWaiting.compactMap { lanes[$0]?.holdUntil }.min().map { max($0.milliseconds - now.milliseconds, 0) }
    }
}
