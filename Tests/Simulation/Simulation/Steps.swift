import HTTP
import HTTPServer
import QuickActions
import SimulationKernel

/// One step of a run: what happens when. The seed and its number decide everything about it, so that a step can be left out.
struct Step {
    enum Kind: String, CaseIterable {
        case publish, fetch, fetchRevision, race, relay, schedule, campaign, approve, restore, delete, apply, tap, follow, revoke, disable,
            importApp, rotate, resend, report
        case kill, freeze, separate, crash, freezeDatabase, terminate, stop
        case consumer

        var isFault: Bool { [.kill, .freeze, .separate, .crash, .freezeDatabase, .terminate, .stop].contains(self) }
    }

    let number: Int
    let at: Int64
    let kind: Kind

    static func plan(_ settings: Settings) -> [Step] {
        var random = SeededRandom(SeededRandom.mix(settings.seed ^ 0x504C))
        var kinds: [Kind] = Array(repeating: .publish, count: 12) + Array(repeating: .fetch, count: 16)
        kinds += Array(repeating: .fetchRevision, count: 4) + Array(repeating: .race, count: 2)
        kinds += Array(repeating: .schedule, count: 4) + Array(repeating: .approve, count: 3) + Array(repeating: .tap, count: 3)
        kinds += [
            .consumer, .consumer, .campaign, .campaign, .restore, .restore, .delete, .apply, .follow, .follow, .revoke, .disable,
            .importApp, .rotate, .resend, .relay, .relay, .report, .report,
        ]
        if settings.hasKills { kinds += [.kill] }
        if settings.hasStops { kinds += [.stop] }
        if settings.hasFreezes { kinds += [.freeze, .freezeDatabase] }
        if settings.hasSeparations { kinds += [.separate, .terminate] }
        if settings.hasFailovers { kinds += [.crash] }
        // Most seeds do a few kinds of work often, which finds more than a little of everything (swarm testing, Groce et al. 2012).
        if !random.oneIn(3) {
            var chosen: Set<Kind> = [.publish, .fetch]
            let possible = Kind.allCases.filter { kinds.contains($0) }
            for _ in 0..<2 + random.below(4) { chosen.insert(random.pick(possible)) }
            for kind in possible where kind.isFault && random.oneIn(2) { chosen.insert(kind) }
            kinds = possible.filter { chosen.contains($0) } + [.publish, .publish, .fetch, .fetch]
        }
        // Bursts: many steps at nearly one time find more than steps with pauses.
        var time: Int64 = 0
        let pause = settings.length * second / Int64(settings.steps)
        return (1...settings.steps).map { number in
            time += random.oneIn(3) ? random.range(0...4 * pause) : random.range(0...3 * millisecond)
            return Step(number: number, at: time, kind: random.pick(kinds))
        }
    }
}

/// Runs one step on its own thread.
struct Actor {
    let world: World
    let step: Step
    var random: SeededRandom

    init(_ world: World, _ step: Step) {
        (self.world, self.step) = (world, step)
        random = SeededRandom(SeededRandom.mix(world.settings.seed ^ UInt64(step.number) << 24 ^ 0x4143))
    }

    var book: Book { world.book }

    mutating func run() {
        Kernel.note("step \(step.number) \(step.kind.rawValue)")
        switch step.kind {
        case .publish: publish()
        case .fetch: fetch()
        case .fetchRevision: fetch(leastRevision: true)
        case .race: race()
        case .relay: relay()
        case .schedule: schedule()
        case .campaign: campaign()
        case .approve: approve()
        case .restore: restore()
        case .delete: delete()
        case .apply: apply()
        case .tap: tap()
        case .report: report()
        case .follow: follow()
        case .revoke: revoke()
        case .disable: disable()
        case .importApp: importApp()
        case .rotate: rotate()
        case .resend: resend()
        case .kill:
            let node = random.pick(world.nodes)
            world.kill(node)
            Kernel.sleep(random.range(0...20 * second))
            world.start(node)
        case .stop:
            let node = random.pick(world.nodes)
            world.stop(node)
            while node.condition == .stopping { Kernel.sleep(100 * millisecond) }
            Kernel.sleep(random.range(0...5 * second))
            world.start(node)
        case .freeze: freeze()
        case .separate: world.separate(random.pick(world.nodes), for: random.range(second / 10...25 * second))
        case .crash: world.crashDatabase(for: random.range(0...6 * second))
        case .freezeDatabase: world.freezeDatabase(for: random.range(second / 10...12 * second))
        case .terminate: world.terminateConnections()
        case .consumer: changeConsumer()
        }
    }

    /// A node that is frozen, such as a virtual machine that is moved. What it knew before is asked for before it can know more.
    private mutating func freeze() {
        let (node, place) = (random.pick(world.nodes), place())
        for _ in 0..<2 { fetch(at: place, from: node, isPlain: true) }
        var other = self
        // The others go on.
        world.freeze(node, for: random.range(second / 10...25 * second)) { other.publish(at: place, on: other.world.living.first) }
        for _ in 0..<3 { fetch(at: place, from: node, isPlain: true) }
    }

    mutating func node() -> Node? {
        let living = world.living
        return living.isEmpty ? nil : random.pick(living)
    }

    /// Where revisions only grow.
    mutating func place() -> Place {
        Place(
            app: random.pick(book.apps.filter { book.approvals[$0] == nil }), version: "1.0", audience: random.oneIn(4) ? "beta" : "default"
        )
    }

    mutating func publish(_ fields: [String] = [], at wanted: Place? = nil, on chosen: Node? = nil) {
        guard let node = chosen ?? node() else { return }
        let place = wanted ?? place()
        let write = book.write(.publish, place)
        world.counts.publishes += 1
        if random.oneIn(4) { fetchBeside(place, on: node) }
        guard
            let exchange = world.request(
                node, "PUT", place.path + place.query, fields: fields, body: write.document(items: 1 + random.below(4)))
        else { return }
        if exchange.status == 200 || exchange.status == 201, let revision = exchange.json?.integer("revision") {
            book.acknowledge(write, revision, by: exchange)
            if random.oneIn(4), let other = self.node() { fetchBeside(place, on: other, leastRevision: true) }
            if random.oneIn(2) {
                fetch(leastRevision: random.oneIn(3), at: place, from: random.oneIn(2) ? node : nil, isPlain: random.oneIn(2))
            }
        } else if exchange.status < 500 {
            write.refusal = exchange.status
            let isLost = exchange.status == 412 && !fields.isEmpty
            if !isLost { world.fail("refusals", "PUT \(place.path) is \(exchange.status): \(exchange.text)") }
        }
        world.judge(exchange, isWrite: true)
    }

    /// Several editors send the same If-Match at once: one wins.
    private mutating func race() {
        guard let node = node() else { return }
        let place = place()
        guard let exchange = world.request(node, "GET", place.path + place.query), exchange.status == 200,
            let tag = exchange.answer.fields.first("ETag")
        else { return }
        // On one node, they may share a transaction.
        let shared = random.oneIn(2) ? node : nil
        for number in 0..<2 + random.below(6) {
            var other = self
            other.random = SeededRandom(random.next() ^ UInt64(number))
            Kernel.spawn("rival", process: 0) { other.publish(["If-Match: \(tag)"], at: place, on: shared) }
        }
    }

    /// Several editors publish at nearly one time, and a client of each asks another node for the new menu. On the first node, a menu that
    /// is not in memory is fetched before and after.
    private mutating func relay() {
        guard let node = node() else { return }
        for number in 0..<3 + random.below(6) {
            var other = self
            other.random = SeededRandom(random.next() ^ UInt64(number))
            Kernel.spawn("relay", process: 0) {
                Kernel.sleep(other.random.range(0...20 * millisecond))
                let (place, version) = (other.place(), "1.0.\(other.random.below(10_000))")
                var beside = other
                Kernel.spawn("beside", process: 0) {
                    Kernel.sleep(beside.random.range(0...10 * millisecond))
                    beside.fetch(at: place, from: node, version: version)
                }
                other.publish(at: place, on: node)
                for _ in 0..<2 { other.fetch(at: place, from: node, version: version) }
                other.fetch(leastRevision: true, at: place, isPlain: true)
            }
        }
    }

    /// Fetches at nearly one time.
    private mutating func fetchBeside(_ place: Place, on node: Node, leastRevision: Bool = false) {
        for number in 0..<1 + random.below(3) {
            var other = self
            other.random = SeededRandom(random.next() ^ UInt64(number))
            Kernel.spawn("beside", process: 0) {
                Kernel.sleep(other.random.range(0...5 * millisecond))
                other.fetch(leastRevision: leastRevision, at: place, from: node, isPlain: true)
            }
        }
    }

    /// - Parameter isPlain: whether it is the same request each time.
    mutating func fetch(
        leastRevision: Bool = false, at wanted: Place? = nil, from chosen: Node? = nil, version wantedVersion: String? = nil,
        isPlain: Bool = false
    ) {
        guard let node = chosen ?? node() else { return }
        let place = wanted ?? place()
        let isPlain = isPlain || wantedVersion != nil
        let version = wantedVersion ?? (isPlain ? "1.0" : random.pick(["1.0", "1.7", "1.0.3"]))
        var query: [String] = place.audience == "default" ? [] : ["audience=\(place.audience)"]
        let least = leastRevision ? book.newest[place.app] ?? 0 : 0
        if leastRevision { query.append("revision=\(least)") }
        if !isPlain, random.oneIn(4) { query.append("lang=\(random.pick(["en", "de"]))") }
        world.counts.fetches += 1
        let target = "/v1/apps/\(place.app)/versions/\(version)/shortcuts" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
        guard let exchange = world.request(node, "GET", target, token: nil) else { return }
        if exchange.answer.isFromCache { world.counts.hits += 1 }
        world.judge(exchange, isWrite: false)
        world.judge(exchange, of: place, atLeast: leastRevision)
        if random.oneIn(3) {
            fetch(leastRevision: leastRevision, at: place, from: node, version: wantedVersion, isPlain: isPlain)
        }
    }

    private mutating func changeConsumer() {
        let consumer = random.pick(Array(world.network.consumers.values).sorted { $0.host < $1.host })
        consumer.manners = random.pick([
            [.status(500, retryAfter: nil)], [.refusesConnection], [.hangs], [.closes],
            [.status(200, retryAfter: nil), .status(503, retryAfter: nil)],
            [.status(429, retryAfter: 3)], [.status(503, retryAfter: 5), .status(200, retryAfter: nil)],
            [.status(200, retryAfter: nil), .closes, .hangs], [.status(200, retryAfter: nil), .status(410, retryAfter: nil)],
        ])
        consumer.delay = random.pick([0...millisecond, millisecond...20 * millisecond, 100 * millisecond...3 * second])
        Kernel.sleep(random.range(0...20 * second))
        consumer.manners = [.status(200, retryAfter: nil)]
    }
}

extension Exchange {
    var text: String { String(decoding: answer.body, as: UTF8.self) }
}
