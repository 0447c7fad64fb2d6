import QuickActions
import Shortcuts
import Testing

/// A differential test: the same calls have the same results in all queues.
@Suite struct QueueDifferentialTests {
    @Test(arguments: UInt64(1)...20) func `random calls have the same results in all queues`(_ seed: UInt64) throws {
        var random = Seeded(state: seed)
        let sides = try QueueKind.allCases.map { Side(try $0.makeBench()) }
        let endpoints: [EndpointID] = ["a", "b", "c"]
        for side in sides {
            for id in endpoints { try side.bench.addEndpoint(id, ordered: id == "c") }
        }
        var now = Timestamp(milliseconds: 1000)
        for step in 0..<60 {
            now = now.later(.random(in: 0...40, using: &random))
            let call = Call.random(at: now, endpoints: endpoints, claimed: sides[0].claimed.count, using: &random)
            let told = try sides.map { try $0.perform(call, at: now) }
            #expect(Set(told).count == 1, "step \(step), \(call), at \(now.milliseconds): \(told)")
            guard Set(told).count == 1 else { return }
        }
    }
}

/// A call to a queue. Claims are identified by their number, because ids and tokens differ between queues.
private enum Call {
    case add(endpoint: EndpointID)
    case claim(limit: Int, perEndpoint: Int, lease: Int64)
    case record([(claim: Int, next: DeliveryOutcome.Next, hold: Timestamp?, isRemoved: Bool)], disableAfter: Int64)
    case release([Int])
    case releaseAbandoned
    case setEnabled(Bool, EndpointID)
    case recover(EndpointID)
    case skipHeld(EndpointID)

    static func random(at now: Timestamp, endpoints: [EndpointID], claimed: Int, using random: inout Seeded) -> Call {
        /// Some of the latest claims, including those with an expired lease or a recorded outcome.
        func someClaims(_ random: inout Seeded) -> [Int] {
            (max(0, claimed - 8)..<claimed).filter { _ in Int.random(in: 0..<3, using: &random) == 0 }.shuffled(using: &random)
        }
        let endpoint = endpoints[Int.random(in: 0..<endpoints.count, using: &random)]
        switch Int.random(in: 0..<24, using: &random) {
        case 0..<7: return .add(endpoint: endpoint)
        case 7..<12:
            return .claim(
                limit: .random(in: 0...6, using: &random), perEndpoint: .random(in: 0...4, using: &random),
                lease: .random(in: 1...120, using: &random))
        case 12..<18:
            let outcomes = someClaims(&random).map { claim in
                let time = now.later(.random(in: 0...100, using: &random))
                let next: DeliveryOutcome.Next = [.delivered, .retry(at: time), .exhausted][Int.random(in: 0..<3, using: &random)]
                let hold = Int.random(in: 0..<4, using: &random) == 0 ? now.later(.random(in: 0...150, using: &random)) : nil
                if case .exhausted = next { return (claim, next, hold, isRemoved: Int.random(in: 0..<8, using: &random) == 0) }
                return (claim, next, hold, isRemoved: false)
            }
            return .record(outcomes, disableAfter: .random(in: 100...2000, using: &random))
        case 18: return .release(someClaims(&random))
        case 19, 20: return .setEnabled(.random(using: &random), endpoint)
        case 21: return .recover(endpoint)
        case 22: return .skipHeld(endpoint)
        default: return .releaseAbandoned
        }
    }
}

/// One of the queues, with its input and its results.
private final class Side {
    let bench: any QueueBench
    private var deliveries: [DeliveryID] = []
    private(set) var claimed: [ClaimedDelivery] = []

    init(_ bench: any QueueBench) { self.bench = bench }

    /// - Returns: the visible state and results.
    func perform(_ call: Call, at now: Timestamp) throws -> String {
        var told = ""
        switch call {
        case .add(let endpoint): deliveries.append(try bench.addDelivery(to: endpoint, at: now))
        case .claim(let limit, let perEndpoint, let lease):
            let more = try bench.queue.claimDue(at: now, limit: limit, perEndpoint: perEndpoint, lease: lease)
            claimed += more
            told = more.map { "\(deliveries.firstIndex(of: $0.id) ?? -1)×\($0.attemptsMade)" }.joined(separator: " ")
        case .record(let outcomes, let disableAfter):
            let outcomes = outcomes.map { claimed[$0.claim].outcome($0.next, at: now, hold: $0.hold, isRemoved: $0.isRemoved) }
            try bench.queue.record(outcomes, at: now, disableAfter: disableAfter)
        case .release(let claims): try bench.queue.release(claims.map { claimed[$0].lease }, at: now)
        case .releaseAbandoned: try bench.queue.releaseAbandonedLeases(at: now)
        case .setEnabled(let enabled, let endpoint): try bench.setEnabled(enabled, endpoint)
        case .recover(let endpoint): try bench.recover(endpoint, at: now)
        case .skipHeld(let endpoint): try bench.skipHeld(of: endpoint)
        }
        let states = try deliveries.map { "\(try bench.state(of: $0)) \(try bench.attempts(of: $0).count)" }
        let (next, backlog) = (try bench.queue.nextDue(), try bench.queue.backlog())
        return "\(told) | \(next?.milliseconds ?? -1) | \(backlog.pending) \(backlog.oldest?.milliseconds ?? -1) | \(states)"
    }
}

/// SplitMix64, so that a run is reproducible from its seed.
private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
