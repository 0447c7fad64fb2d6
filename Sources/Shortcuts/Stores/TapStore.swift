import QuickActions

/// The counters of taps.
package protocol TapStore: Sendable {
    /// Adds to the counters, once for each batch. Ids that were never published, and kinds beyond the limit of an hour, are counted by
    /// `overflow`; versions that the app does not know by `version(nil)` and `tagVersion(nil)`. Apps that do not exist are skipped.
    func add(_ batch: TapBatch) throws(Failure)
    /// - Parameter length: of the buckets; nil for none.
    func taps(of app: AppID, in period: TapPeriod, by length: TapBucketLength?) throws(Failure) -> TapStatistics
}

/// Counts taps in memory, off the path of their answers.
package protocol TapCounter: Sendable {
    func count(_ kind: TapKind)
    /// Writes the counts to the store and waits for it.
    func flush()
}
