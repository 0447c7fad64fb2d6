import QuickActions

/// The schedule for editors.
package protocol ScheduleStore: Sendable {
    /// In the order in which they are due.
    func schedule(of app: AppID, _ page: PageRequest) throws(Failure) -> Page<ScheduleEntry>
    func scheduleEntry(_ id: ScheduleID, of app: AppID) throws(Failure) -> ScheduleEntry?
    /// Schedules that a revision's content is published again for its version and audience.
    /// - Parameter writeCondition: on the set.
    /// - Throws: `unknownResource`; `conflict` where the revision is a deletion; what a publish would throw now.
    func scheduleRestore(
        of revision: Int64, at time: Timestamp, expecting writeCondition: WriteCondition, of app: AppID, by author: Author
    ) throws(Failure) -> ScheduleEntry
    /// Calls an entry off; with a publish, the way back that belongs to it.
    /// - Throws: `unknownResource`.
    func cancel(_ id: ScheduleID, of app: AppID, by author: Author) throws(Failure)
}

/// The schedule for the scheduler.
package protocol ScheduleQueue: Sendable {
    /// Does what the first due entry says, in one transaction that also deletes it, so never twice. Where it cannot be done,
    /// `shortcuts.schedule-failed` is sent. An entry that cannot be read is quarantined, so that the others go on.
    /// - Returns: nil if nothing is due.
    func fireNextDue(at now: Timestamp) throws(Failure) -> FiredEntry?
    /// The earliest instant of an entry after `time`.
    func nextDue(after time: Timestamp) throws(Failure) -> Timestamp?
    /// The apps with an entry that is due after `start`, and at `end` or before.
    func appsDue(after start: Timestamp, until end: Timestamp) throws(Failure) -> [AppID]
}
