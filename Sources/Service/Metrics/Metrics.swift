import HTTP
import Shortcuts
import Webhooks

/// What the service counts. On the fetch path counting costs atomic additions; the text is made when it is asked for.
package final class Metrics: Sendable {
    /// Answers from memory: menus, and the few that are something else.
    let menus = RememberedAnswers()
    let continuities = RememberedAnswers()
    let requests = LabeledCounts()
    let latency = Histogram(upperBounds: [0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10])
    let taps = Dictionary(uniqueKeysWithValues: TapResolution.Outcome.allCases.map { ($0, Counter()) })
    let attempts = Dictionary(uniqueKeysWithValues: AttemptReport.Outcome.allCases.map { ($0, Counter()) })
    let attemptLatency = Histogram(upperBounds: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15])

    package init() {}

    func remembered(by route: String?) -> RememberedAnswers {
        route == "getContinuity" ? continuities : menus
    }
}

final class RememberedAnswers: Sendable {
    let ok = Counter()
    let notModified = Counter()

    func add(_ status: Status) {
        (status == .notModified ? notModified : ok).add()
    }

    var total: Int { ok.value + notModified.value }
}
