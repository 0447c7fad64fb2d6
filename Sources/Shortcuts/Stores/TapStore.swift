import QuickActions

/// How often items were tapped.
package protocol TapStore: Sendable {
    /// Adds to what is counted. Ids that nobody ever published are counted together, and so is what an hour has too many
    /// kinds of; an app that is gone is left out.
    func add(_ counts: [HourlyTaps: Int]) throws(Failure)
    /// From the hour of `time` on.
    func taps(of app: AppID, since time: Timestamp) throws(Failure) -> TapStatistics
}

/// Counts taps beside their answers.
package protocol TapCounter: Sendable {
    func count(_ kind: TapKind)
    /// Writes the counts to the store and waits for it.
    func flush()
}
