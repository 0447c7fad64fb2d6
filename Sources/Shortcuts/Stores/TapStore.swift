import QuickActions

/// The counters of taps.
package protocol TapStore: Sendable {
    /// Adds to the counters, once for each batch. Unpublished ids, and kinds above the limit of an hour, are counted as their `overflow`.
    /// Versions that the app does not know are counted as `version(nil)` and `tagVersion(nil)`. Taps on apps that do not exist are skipped.
    func add(_ batch: TapBatch) throws(Failure)
    func taps(of app: AppID, _ query: TapQuery) throws(Failure) -> TapStatistics
}

/// The counters of taps that clients report.
package protocol TapReportStore: Sendable {
    /// Adds to the counters. Counts each tap of a batch once, however often and wherever the batch arrives. Unpublished ids are counted as
    /// `withoutItem`; versions and kinds above the limit are counted as in `TapStore.add`.
    /// - Parameter limit: the most taps to add now. The others are added when the batch arrives again.
    /// - Throws: `unknownApp`.
    func add(_ report: TapReport, atMost limit: Int) throws(Failure) -> TapReport.Progress

    /// Whether all taps of the batch are counted.
    func isCounted(_ report: TapReport) throws(Failure) -> Bool
}

/// Counts taps in memory, so that their answers need not wait for the store.
package protocol TapCounter: Sendable {
    func count(_ kind: TapKind)
    /// Counts a tap whose body has values of a personal item, which the service ignores.
    func countIgnoredValues()
    /// Writes the counts to the store and waits until they are written.
    func flush()
}
