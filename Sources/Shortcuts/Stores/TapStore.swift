import QuickActions

/// The counters of taps.
package protocol TapStore: Sendable {
    /// Adds to the counters. Ids that were never published, and kinds beyond the limit of an hour, are counted by `overflow`. Apps that do
    /// not exist are skipped.
    func add(_ counts: [HourlyTaps: Int]) throws(Failure)
    /// The taps from the hour of `time` on.
    func taps(of app: AppID, since time: Timestamp) throws(Failure) -> TapStatistics
}

/// Counts taps in memory, off the path of their answers.
package protocol TapCounter: Sendable {
    func count(_ kind: TapKind)
    /// Writes the counts to the store and waits for it.
    func flush()
}
