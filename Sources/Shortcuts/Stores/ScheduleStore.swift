import QuickActions

/// Scheduled publishes.
package protocol ScheduleStore: Sendable {
    /// Publishes the first due draft and deletes it, in one transaction, so never twice. A draft that can no longer be published loses its
    /// schedule, and `shortcuts.schedule-failed` is sent.
    /// - Returns: nil if nothing is due.
    func publishNextDue(at now: Timestamp) throws(Failure) -> DuePublish?
    /// The earliest schedule after `time`.
    func nextPublish(after time: Timestamp) throws(Failure) -> Timestamp?
    /// The apps with a draft due at `time` or before.
    func appsPublishing(until time: Timestamp) throws(Failure) -> [AppID]
}
