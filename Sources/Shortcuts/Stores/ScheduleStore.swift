import QuickActions

/// The schedule for editors.
package protocol ScheduleStore: Sendable {
    /// Ordered by time.
    func schedule(of app: AppID, _ page: PageRequest) throws(Failure) -> Page<ScheduleEntry>
    func scheduleEntry(_ id: ScheduleID, of app: AppID) throws(Failure) -> ScheduleEntry?
    /// Schedules the restore of a revision for its version and audience.
    /// - Parameter writeCondition: the precondition on the set.
    /// - Throws: `unknownResource`; `conflict` if the revision is a deletion; what a publish would throw now.
    func scheduleRestore(
        of revision: Int64, at time: Timestamp, expecting writeCondition: WriteCondition, of app: AppID, by author: Author
    ) throws(Failure) -> ScheduleEntry
    /// Cancels an entry. Cancelling a publish also cancels its automatic revert.
    /// - Throws: `unknownResource`.
    func cancel(_ id: ScheduleID, of app: AppID, by author: Author) throws(Failure)
}

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
