import QuickActions

/// The counters of taps.
package protocol TapStore: Sendable {
    /// Adds to the counters, once for each batch. Unpublished ids, and kinds above the limit of an hour, are counted as their `overflow`.
    /// Versions that the app does not know are counted as `version(nil)` and `tagVersion(nil)`. Taps on apps that do not exist are skipped.
    func add(_ batch: TapBatch) throws(Failure)
    /// - Parameter length: the length of the buckets; nil for no buckets.
    func taps(of app: AppID, in period: TapPeriod, by length: TapBucketLength?) throws(Failure) -> TapStatistics
}

/// Counts taps in memory, so that their answers need not wait for the store.
package protocol TapCounter: Sendable {
    func count(_ kind: TapKind)
    /// Writes the counts to the store and waits until they are written.
    func flush()
}
