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
    let attempts = Dictionary(uniqueKeysWithValues: AttemptReport.Outcome.allCases.map { ($0, Counter()) })
    let exhaustedDeliveries = Counter()
    let failedSchedules = Counter()
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
