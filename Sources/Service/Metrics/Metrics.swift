import API
import HTTP
import QuickActions
import Shortcuts
import Synchronization
import Webhooks

/// What the service counts. On the fetch path counting costs atomic additions; the text is made when it is asked for.
package final class Metrics: Sendable {
    let requests = LabeledCounts()
    private let loops = Mutex<[LoopCounts]>([])
    let taps = Dictionary(uniqueKeysWithValues: TapOutcome.allCases.map { ($0, Counter()) })
    let attempts = Dictionary(uniqueKeysWithValues: AttemptReport.Outcome.allCases.map { ($0, Counter()) })
    let exhaustedDeliveries = Counter()
    let failedSchedules = Counter()
    let tokenRefusals = Dictionary(uniqueKeysWithValues: TokenRefusal.allCases.map { ($0, Counter()) })
    let attemptLatency = Histogram(upperBounds: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15])

    package init() {}

    func countsOfLoop() -> LoopCounts {
        let counts = LoopCounts()
        loops.withLock { $0.append(counts) }
        return counts
    }

    /// Of all loops together.
    var fetches: LoopCounts {
        let sum = LoopCounts()
        for counts in loops.withLock({ $0 }) { sum.add(counts) }
        return sum
    }
}

/// What one event loop counts. Two that counted in one place would pass its cache line to and fro.
final class LoopCounts: Sendable {
    /// Answers from memory: menus, and the few that are something else.
    let menus = AnswersFromMemory()
    let continuities = AnswersFromMemory()
    /// Of all requests.
    let latency = Histogram(upperBounds: [0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10])

    func remembered(by route: String?) -> AnswersFromMemory {
        route == ClientRoutes.continuityName ? continuities : menus
    }

    fileprivate func add(_ other: LoopCounts) {
        menus.add(other.menus)
        continuities.add(other.continuities)
        latency.add(other.latency)
    }
}

/// What a route has answered without a worker, by status.
final class AnswersFromMemory: Sendable {
    let ok = Counter()
    let notModified = Counter()

    func add(_ status: Status) {
        (status == .notModified ? notModified : ok).add()
    }

    fileprivate func add(_ other: AnswersFromMemory) {
        ok.add(other.ok.value)
        notModified.add(other.notModified.value)
    }

    var total: Int { ok.value + notModified.value }
}
