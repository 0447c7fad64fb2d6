import Shortcuts

/// Tracks which endpoints answered quickly within the last minute.
struct Pace {
    private static let proof = 8
    private static let memory = Duration.seconds(60)

    private static let maxStreaks = 1024

    private struct Streak {
        var quick: Int
        var seen: ContinuousClock.Instant
    }

    private let quick: Duration
    private var streaks: [EndpointID: Streak] = [:]

    /// - Parameter quick: an attempt that takes less is quick.
    init(quick: Duration = .milliseconds(100)) {
        self.quick = quick
    }

    mutating func note(_ attempt: FinishedAttempt, at now: ContinuousClock.Instant) {
        if streaks.count > Self.maxStreaks { streaks = streaks.filter { isRecent($0.value, at: now) } }
        let isQuick = attempt.result.isSuccess && attempt.duration < quick
        let streak = streaks[attempt.delivery.endpoint.id]?.quick ?? 0
        streaks[attempt.delivery.endpoint.id] = Streak(quick: isQuick ? min(streak + 1, Self.proof) : 0, seen: now)
    }

    /// Whether the last eight attempts were quick successes, both to each of these endpoints and to each endpoint of the last minute.
    func areAllQuick(_ endpoints: some Sequence<EndpointID>, at now: ContinuousClock.Instant) -> Bool {
        let recent = streaks.values.filter { isRecent($0, at: now) }
        return !recent.isEmpty && recent.allSatisfy { $0.quick >= Self.proof } && endpoints.allSatisfy { streaks[$0] != nil }
    }

    private func isRecent(_ streak: Streak, at now: ContinuousClock.Instant) -> Bool { streak.seen + Self.memory >= now }
}
