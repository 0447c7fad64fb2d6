import QuickActions

/// Reads of one app.
package protocol AppReader: Sendable {
    /// Nil when there is no such app.
    func snapshot(of id: AppID) throws(Failure) -> AppSnapshot?
    /// The ids that were ever published in the audience's timeline, the app's former lives included: all of `ids` that were, and of others
    /// those that a warning can name, of some thousands.
    func publishedIDs(among ids: Set<ItemID>, in audience: Audience, of app: AppID) throws(Failure) -> Set<ItemID>
    /// The audience's draft with the greatest starting version that is not above `version`.
    func draft(effectiveFor version: AppVersion, _ audience: Audience, of app: AppID) throws(Failure) -> Draft?
}

/// Apps. Every write is one transaction with its event, its deliveries and its audit entry.
package protocol AppStore: AppReader {
    /// Whether answers from memory are recent enough.
    var freshness: Freshness { get }
    /// Returns once the observers of the store have been called for every change that was committed anywhere two seconds before this
    /// call. It blocks for at most two seconds.
    /// - Throws: `storageUnavailable`; for the next second at once, without asking the store again.
    func catchUp() throws(Failure)
    /// The same for every change that was committed anywhere before this call.
    func catchUpCompletely() throws(Failure)
    /// Only those in the scope.
    func apps(_ page: PageRequest, matching query: AppQuery, within scope: Scope) throws(Failure) -> Page<App>
    func app(_ id: AppID) throws(Failure) -> App?
    /// The part that a fetch needs: of the timeline that the audience is served, only the set in effect for the version.
    func snapshot(of id: AppID, effectiveFor version: AppVersion, _ audience: Audience) throws(Failure) -> EffectiveSnapshot?
    /// The app as it was last read or committed by this process, without asking the store; nil where that is not in memory. Marked as stale.
    func lastKnown(_ id: AppID) throws(Failure) -> AppSnapshot?
    func lastKnown(_ id: AppID, effectiveFor version: AppVersion, _ audience: Audience) throws(Failure) -> EffectiveSnapshot?
    /// Creates or replaces an app; `change` gets the stored one, and runs inside the transaction.
    /// - Parameter override: why an owner lowers the approvals that the app requires.
    /// - Returns: whether the app is new.
    /// - Throws: `approvalMissing` where they are lowered without a reason.
    func putApp(_ id: AppID, override: OverrideReason?, by author: Author, change: (AppSnapshot?) throws(Failure) -> App) throws(Failure)
        -> (app: App, isNew: Bool)
    /// Deletes the app with its releases and sets. Revisions and the revision counter are kept.
    /// - Throws: `unknownApp`, `preconditionFailed`.
    func deleteApp(_ id: AppID, by author: Author, expecting writeCondition: WriteCondition) throws(Failure)
}

extension AppStore {
    package func putApp(_ id: AppID, by author: Author, change: (AppSnapshot?) throws(Failure) -> App) throws(Failure)
        -> (app: App, isNew: Bool)
    {
        try putApp(id, override: nil, by: author, change: change)
    }

    /// By id.
    package func apps(_ page: PageRequest, within scope: Scope) throws(Failure) -> Page<App> {
        try apps(page, matching: AppQuery(), within: scope)
    }
}
