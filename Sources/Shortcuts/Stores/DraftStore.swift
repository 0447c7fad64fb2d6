import QuickActions

/// Drafts: editing, approving, publishing and scheduling them.
package protocol DraftStore: Sendable {
    /// Ascending by audience and version.
    func drafts(of app: AppID, _ page: PageRequest) throws(Failure) -> Page<Draft>
    func draft(_ version: AppVersion, _ audience: Audience, of app: AppID) throws(Failure) -> Draft?
    /// Creates or replaces a draft, which voids its approvals. Saving the same content changes nothing.
    func saveDraft(_ set: ShortcutSet, _ change: DraftChange, of app: AppID, by author: Author) throws(Failure) -> DraftReceipt
    func deleteDraft(_ change: DraftChange, of app: AppID, by author: Author) throws(Failure)
    /// Publishes the draft now and deletes it, in one transaction.
    /// - Parameters:
    ///   - change: its precondition applies to the set; `If-Match` may also have the draft's entity tag.
    ///   - until: see `SetChange.until`.
    ///   - override: why an owner bypasses the missing approvals.
    func publishDraft(
        _ change: DraftChange, until: Timestamp?, override: OverrideReason?, of app: AppID, by author: Author
    ) throws(Failure) -> PublishReceipt
    /// Schedules the draft, which consumes it. With `until`, the automatic revert is scheduled too.
    /// - Throws: what publishing it now would throw.
    func scheduleDraft(
        _ change: DraftChange, at time: Timestamp, until: Timestamp?, override: OverrideReason?, of app: AppID, by author: Author
    ) throws(Failure) -> ScheduleEntry
    /// Records the author's approval of the draft in its current form. A repeated approval changes nothing.
    /// - Throws: `forbidden` for an author who saved the draft; `preconditionFailed`.
    func approveDraft(_ change: DraftChange, of app: AppID, by author: Author) throws(Failure) -> ApprovalCount
    /// Withdraws the author's approval, if there is one.
    func withdrawApproval(_ change: DraftChange, of app: AppID, by author: Author) throws(Failure)
}
