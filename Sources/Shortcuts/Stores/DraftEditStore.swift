import QuickActions

/// Drafts that are changed in parts, and writes of sets and drafts that are only tried.
package protocol DraftEditStore: Sendable {
    /// Changes a draft; a patch begins it with what is published where there is none.
    /// - Throws: `unknownResource` where there is nothing to patch, and what `DraftStore.saveDraft` throws.
    func editDraft(_ edit: DraftEdit, _ change: DraftChange, of app: AppID, by author: Author) throws(Failure) -> DraftReceipt
    /// Checks as `editDraft` does, and writes nothing.
    func tryDraft(_ edit: DraftEdit, _ change: DraftChange, of app: AppID) throws(Failure) -> [Warning]
    /// Checks as `SetStore.publish` does, and writes nothing.
    func tryPublish(_ change: SetChange, of app: AppID, by author: Author) throws(Failure) -> [Warning]
}
