import QuickActions

/// Drafts and their schedules.
package protocol DraftStore: Sendable {
    /// Ascending by audience and version.
    func drafts(of app: AppID, _ page: PageRequest) throws(Failure) -> Page<Draft>
    func draft(_ version: AppVersion, _ audience: Audience, of app: AppID) throws(Failure) -> Draft?
    /// Creates or replaces a draft; its schedule is kept.
    /// - Parameter maySchedule: whether the author may publish. Without it, a scheduled draft cannot be changed.
    func saveDraft(_ set: ShortcutSet, _ change: DraftChange, maySchedule: Bool, of app: AppID, by author: Author)
        throws(Failure) -> DraftReceipt
    /// Deletes a draft with its schedule.
    func deleteDraft(_ change: DraftChange, of app: AppID, by author: Author) throws(Failure)
    /// Publishes the draft now and deletes it, in one transaction.
    /// - Parameter change: its precondition is on the set; `If-Match` may also have the draft's entity tag.
    func publishDraft(_ change: DraftChange, of app: AppID, by author: Author) throws(Failure) -> PublishReceipt
    /// Sets the time at which the draft is published.
    /// - Returns: the warnings that publishing it now would give.
    func scheduleDraft(_ change: DraftChange, at time: Timestamp, of app: AppID, by author: Author) throws(Failure) -> [Warning]
}
