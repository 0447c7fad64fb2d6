import API
import HTTP
import HTTPServer
import QuickActions
import Shortcuts
import Synchronization
import Webhooks

/// The service's counters and histograms. Any thread may count. A fetch costs only atomic additions.
package final class Metrics: Sendable {
    let requests = LabeledCounts()
    private let loops = Mutex<[LoopCounts]>([])
    let taps = Dictionary(uniqueKeysWithValues: TapOutcome.allCases.map { ($0, Counter()) })
    let ignoredValues = Counter()
    let attempts = Dictionary(uniqueKeysWithValues: AttemptReport.Outcome.allCases.map { ($0, Counter()) })
    let exhaustedDeliveries = Counter()
    let failedSchedules = Counter()
    let stoppedRollouts = Counter()
    let unreadableRows = Counter()
    let tokenRefusals = Dictionary(uniqueKeysWithValues: TokenRefusal.allCases.map { ($0, Counter()) })
    let streamedEvents = Counter()
    let endedStreams = Dictionary(uniqueKeysWithValues: StreamEnd.allCases.map { ($0, Counter()) })
    let attemptLatency = Histogram(upperBounds: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15])

    package init() {}

    func countsOfLoop() -> LoopCounts {
        let counts = LoopCounts()
        loops.withLock { $0.append(counts) }
        return counts
    }

    /// The sum of all loops.
    var fetches: LoopCounts {
        let sum = LoopCounts()
        for counts in loops.withLock({ $0 }) { sum.add(counts) }
        return sum
    }
}

/// The counters of one event loop. Shared counters would cause contention for their cache lines.
final class LoopCounts: Sendable {
    let menus = CacheHits()
    let continuities = CacheHits()
    let bundles = CacheHits()
    /// Includes requests that handlers answer.
    let latency = Histogram(upperBounds: [0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10])

    func hits(of route: String?) -> CacheHits {
        switch route {
        case ClientRoutes.continuityName: continuities
        case ClientRoutes.bundleName: bundles
        default: menus
        }
    }

    fileprivate func add(_ other: LoopCounts) {
        menus.add(other.menus)
        continuities.add(other.continuities)
        bundles.add(other.bundles)
        latency.add(other.latency)
    }
}

/// The answers of a route from a loop's cache, by status.
final class CacheHits: Sendable {
    let ok = Counter()
    let notModified = Counter()

    func add(_ status: Status) {
        (status == .notModified ? notModified : ok).add()
    }

    fileprivate func add(_ other: CacheHits) {
        ok.add(other.ok.value)
        notModified.add(other.notModified.value)
    }

    var total: Int { ok.value + notModified.value }
}

/// Counters with two labels.
final class LabeledCounts: Sendable {
    struct Key: Hashable, Comparable {
        let name: String
        let result: String

        static func < (left: Key, right: Key) -> Bool { (left.name, left.result) < (right.name, right.result) }
    }

    private let counts = Mutex<[Key: Int]>([:])

    func add(_ name: String, _ result: String) {
        counts.withLock { $0[Key(name: name, result: result), default: 0] += 1 }
    }

    var all: [Key: Int] { counts.withLock { $0 } }
}

/// A monotonic counter.
package final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    package func add(_ amount: Int = 1) {
        count.wrappingAdd(amount, ordering: .relaxed)
    }

    package var value: Int { count.load(ordering: .relaxed) }
}

/// A histogram with fixed buckets, in seconds.
package final class Histogram: Sendable {
    let upperBounds: [Double]
    private let nanosecondBounds: [UInt64]
    private let buckets: [Counter]
    private let sum = Counter()

    init(upperBounds: [Double]) {
        self.upperBounds = upperBounds
        nanosecondBounds = upperBounds.map { UInt64($0 * 1e9) }
        buckets = (0...upperBounds.count).map { _ in Counter() }
    }

    func observe(nanoseconds: UInt64) {
        let bucket = nanosecondBounds.firstIndex { nanoseconds <= $0 } ?? nanosecondBounds.count
        buckets[bucket].add()
        sum.add(Int(clamping: nanoseconds))
    }

    /// Adds the counts of a histogram with the same bounds.
    func add(_ other: Histogram) {
        for (mine, others) in zip(buckets, other.buckets) { mine.add(others.value) }
        sum.add(other.sum.value)
    }

    /// The cumulative counts up to each bound; the last one is up to infinity.
    var cumulative: [Int] {
        var total = 0
        return buckets.map { bucket in
            total += bucket.value
            return total
        }
    }

    var seconds: Double { Double(sum.value) / 1e9 }
}
