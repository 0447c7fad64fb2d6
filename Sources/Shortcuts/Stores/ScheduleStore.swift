import QuickActions

/// What comes due by itself.
package protocol ScheduleStore: Sendable {
    /// Publishes the first draft that is due, and drops it, in one transaction: never twice. What cannot be published any
    /// more stays a draft without a time, and is announced.
    /// - Returns: nil where nothing is due.
    func publishNextDue(at now: Timestamp) throws(Failure) -> DuePublish?
    /// The first time after `time` at which a draft is due.
    func nextPublish(after time: Timestamp) throws(Failure) -> Timestamp?
    /// The apps with a draft that is due at `time` or before it.
    func appsPublishing(until time: Timestamp) throws(Failure) -> [AppID]
}
