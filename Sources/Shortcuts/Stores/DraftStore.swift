import QuickActions

/// Drafts, and when they are published.
package protocol DraftStore: Sendable {
    /// Ascending by audience and version.
    func drafts(of app: AppID, _ page: PageRequest) throws(Failure) -> Page<Draft>
    func draft(_ version: AppVersion, _ audience: Audience, of app: AppID) throws(Failure) -> Draft?
    /// A time that the draft has is kept.
    /// - Parameter maySchedule: whether the author could publish it too; who may not, may not change what is scheduled.
    func saveDraft(_ set: ShortcutSet, _ change: DraftChange, maySchedule: Bool, of app: AppID, by author: Author)
        throws(Failure) -> DraftReceipt
    /// Cancels its time too.
    func deleteDraft(_ change: DraftChange, of app: AppID, by author: Author) throws(Failure)
    /// Publishes the draft's content now and drops the draft, in one transaction.
    /// - Parameter change: its condition is about the set; `If-Match` may name the draft's tag instead.
    func publishDraft(_ change: DraftChange, of app: AppID, by author: Author) throws(Failure) -> PublishReceipt
    /// Gives the draft a time, or another one.
    /// - Returns: what publishing it now would warn of.
    func scheduleDraft(_ change: DraftChange, at time: Timestamp, of app: AppID, by author: Author) throws(Failure) -> [Warning]
}
