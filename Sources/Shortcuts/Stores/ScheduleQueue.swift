import QuickActions

/// The schedule for the scheduler.
package protocol ScheduleQueue: Sendable {
    /// Runs the first due entry in one transaction that also deletes it, so it never runs twice. If it fails, `shortcuts.schedule-failed`
    /// is sent. An entry that cannot be read is quarantined, so that other entries continue.
    /// - Returns: nil if no entry is due.
    func fireNextDue(at now: Timestamp) throws(Failure) -> FiredEntry?
    /// The time of the first entry after `time`.
    func nextDue(after time: Timestamp) throws(Failure) -> Timestamp?
    /// The apps with an entry that is due after `start`, up to and including `end`.
    func appsDue(after start: Timestamp, until end: Timestamp) throws(Failure) -> [AppID]
}
