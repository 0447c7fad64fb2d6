import QuickActions

/// Drafts, and their way to what is published.
package protocol DraftStore: Sendable {
    /// Ascending by audience and version.
    func drafts(of app: AppID, _ page: PageRequest) throws(Failure) -> Page<Draft>
    func draft(_ version: AppVersion, _ audience: Audience, of app: AppID) throws(Failure) -> Draft?
    /// Creates or replaces a draft, which voids its approvals; the same content changes nothing.
    func saveDraft(_ set: ShortcutSet, _ change: DraftChange, of app: AppID, by author: Author) throws(Failure) -> DraftReceipt
    func deleteDraft(_ change: DraftChange, of app: AppID, by author: Author) throws(Failure)
    /// Publishes the draft now and deletes it, in one transaction.
    /// - Parameters:
    ///   - change: its precondition is on the set; `If-Match` may also have the draft's entity tag.
    ///   - until: as `SetChange.until`.
    ///   - override: why an owner does without the approvals that are missing.
    func publishDraft(
        _ change: DraftChange, until: Timestamp?, override: OverrideReason?, of app: AppID, by author: Author
    ) throws(Failure) -> PublishReceipt
    /// Makes an entry of the schedule of the draft, which is no draft any more; with `until` also the way back.
    /// - Throws: what publishing it now would throw.
    func scheduleDraft(
        _ change: DraftChange, at time: Timestamp, until: Timestamp?, override: OverrideReason?, of app: AppID, by author: Author
    ) throws(Failure) -> ScheduleEntry
    /// Records the author's consent to the draft as it is; again it is the same one.
    /// - Throws: `forbidden` for an author who has saved the draft; `preconditionFailed`.
    func approveDraft(_ change: DraftChange, of app: AppID, by author: Author) throws(Failure) -> ApprovalCount
    /// Withdraws the author's approval, if there is one.
    func withdrawApproval(_ change: DraftChange, of app: AppID, by author: Author) throws(Failure)
}
