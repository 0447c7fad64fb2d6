import SimulationKernel

/// What a seed decides before anything runs. Some of it can be overridden, to shorten a run that fails.
struct Settings {
    var seed: UInt64
    var nodes: Int
    var isTracing = false
    var keepsDatabase = false
    /// Seconds of load; a quiet end follows.
    var length: Int64
    var steps: Int
    /// Seconds without load, for what happens rarely.
    var quiet: Int64
    /// Another order of threads for the same work.
    var order: UInt64 = 0
    var picking = Picking.random
    var interval = 100
    var connections = 4
    var workers = 4
    var retries = "0s,1s,2s,4s,8s,15s,30s,60s,60s,60s,60s,60s"
    /// Nodes whose wall clock differs from the database's, in nanoseconds.
    var skew: [Int: Int64] = [:]
    /// The slowest message between a node and the database, in nanoseconds.
    var latency = 400_000 as Int64
    var pauses = Pauses()
    var cutOneIn = 0
    var lostCommitOneIn = 0
    var lostNotificationOneIn = 0
    var lateNotificationOneIn = 0
    var slowLookupOneIn = 0
    var hasKills = false
    var hasFreezes = false
    var hasSeparations = false
    var hasFailovers = false
    var hasStops = false
    /// The steps from this one on are left out.
    var end = Int.max
    var skipped: Set<Int> = []
    /// The most decisions of the kernel.
    var limit = 3_000_000

    init(seed: UInt64, nodes: Int?) {
        var random = SeededRandom(SeededRandom.mix(seed))
        self.seed = seed
        self.nodes = nodes ?? random.pick([1, 2, 3, 3, 3, 4, 5])
        length = random.pick([10, 20, 30, 60, 60, 120])
        steps = 40 + random.below(120)
        quiet = random.oneIn(8) ? 600 : 0
        if random.oneIn(3) { picking = .priorities(changes: 1 + random.below(5)) }
        interval = random.pick([2, 5, 10, 30, 100, 300, 1000])
        connections = random.pick([2, 2, 4, 8])
        workers = random.pick([1, 2, 4, 8, 8])
        if random.oneIn(3) { for node in 1...5 where random.oneIn(2) { skew[node] = random.range(-3600...3600) * 1_000_000_000 } }
        if random.oneIn(3) { cutOneIn = random.pick([40, 200, 1000, 5000]) }
        if random.oneIn(3) { lostNotificationOneIn = random.pick([1, 2, 10]) }
        if random.oneIn(4) { lateNotificationOneIn = random.pick([1, 3, 10]) }
        if random.oneIn(4) { slowLookupOneIn = random.pick([2, 10]) }
        (hasKills, hasStops) = (random.oneIn(2), random.oneIn(3))
        (hasFreezes, hasSeparations, hasFailovers) = (random.oneIn(4), random.oneIn(4), random.oneIn(4))
        if random.oneIn(4) { lostCommitOneIn = random.pick([2, 5, 20]) }
        if random.oneIn(4) {
            latency = random.pick([2 * millisecond, 5 * millisecond])
            // Two connections cannot carry the load when messages are slow.
            connections = max(4, connections)
        }
        if random.oneIn(3) {
            pauses.oneIn = random.pick([3, 10, 50])
            pauses.longest = random.pick([100_000, millisecond, 5 * millisecond])
        }
    }
}
