import QuickActions

/// Partial edits of drafts, and dry runs of writes to sets and drafts.
package protocol DraftEditStore: Sendable {
    /// Changes a draft. If there is no draft, a patch starts one from the published set.
    /// - Throws: `unknownResource` if there is nothing to patch, and what `DraftStore.saveDraft` throws.
    func editDraft(_ edit: DraftEdit, _ change: DraftChange, of app: AppID, by author: Author) throws(Failure) -> DraftReceipt
    /// Performs the checks of `editDraft` and writes nothing.
    func tryDraft(_ edit: DraftEdit, _ change: DraftChange, of app: AppID) throws(Failure) -> [Warning]
    /// Performs the checks of `SetStore.publish` and writes nothing.
    func tryPublish(_ change: SetChange, of app: AppID, by author: Author) throws(Failure) -> [Warning]
}
