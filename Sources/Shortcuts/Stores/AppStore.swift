import QuickActions

/// Reads of one app.
package protocol AppReader: Sendable {
    /// Nil if the app does not exist.
    func snapshot(of id: AppID) throws(Failure) -> AppSnapshot?
    /// The ids that were ever published in the audience's timeline, even before the app was deleted and created again. The result has all
    /// such ids of `ids`, and of other ids those that a warning can name, up to a few thousand.
    func publishedIDs(among ids: Set<ItemID>, in audience: Audience, of app: AppID) throws(Failure) -> Set<ItemID>
    /// The audience's draft with the greatest starting version that is not above `version`.
    func draft(effectiveFor version: AppVersion, _ audience: Audience, of app: AppID) throws(Failure) -> Draft?
}

/// Apps. Every write is one transaction with its event, its deliveries and its audit entry.
package protocol AppStore: AppReader {
    /// Whether this process has seen all recent changes, so that it may answer from memory.
    var freshness: Freshness { get }
    /// Returns when the observers of the store have been called for every change that any node committed up to two seconds before this
    /// call. It blocks for at most two seconds.
    /// - Throws: `storageUnavailable`. For one second after that, it throws immediately without asking the store.
    func catchUp() throws(Failure)
    /// Like `catchUp`, for every change that any node committed before this call.
    func catchUpCompletely() throws(Failure)
    /// Returns only apps in the scope.
    /// - Throws: `invalidParameter` for a cursor of another list.
    func apps(_ page: PageRequest, matching query: AppQuery, within scope: Scope) throws(Failure) -> Page<App>
    func app(_ id: AppID) throws(Failure) -> App?
    /// The part that a fetch needs: of the timeline that the audience is served, only the set in effect for the version.
    func snapshot(of id: AppID, effectiveFor version: AppVersion, _ audience: Audience) throws(Failure) -> EffectiveSnapshot?
    /// The same for several fetches, in their order. All are from one moment.
    func snapshots(
        of id: AppID, effectiveFor fetches: [(version: AppVersion, audience: Audience)]
    ) throws(Failure) -> [EffectiveSnapshot]?
    /// The app as this process last read or committed it, marked as stale. It does not ask the store. Nil if the app is not in memory.
    func lastKnown(_ id: AppID) throws(Failure) -> AppSnapshot?
    func lastKnown(_ id: AppID, effectiveFor version: AppVersion, _ audience: Audience) throws(Failure) -> EffectiveSnapshot?
    /// Creates or replaces an app. `change` gets the stored app and runs inside the transaction.
    /// - Parameter override: why an owner lowers the approvals that the app requires.
    /// - Returns: whether the app is new.
    /// - Throws: `approvalMissing` if approvals are lowered without a reason.
    func putApp(_ id: AppID, override: OverrideReason?, by author: Author, change: (AppSnapshot?) throws(Failure) -> App) throws(Failure)
        -> (app: App, isNew: Bool)
    /// Deletes the app with its releases and sets. Its revisions and the revision counter stay.
    /// - Throws: `unknownApp`, `preconditionFailed`.
    func deleteApp(_ id: AppID, by author: Author, expecting writeCondition: WriteCondition) throws(Failure)
}

extension AppStore {
    package func putApp(_ id: AppID, by author: Author, change: (AppSnapshot?) throws(Failure) -> App) throws(Failure)
        -> (app: App, isNew: Bool)
    {
        try putApp(id, override: nil, by: author, change: change)
    }

    /// Ordered by id.
    package func apps(_ page: PageRequest, within scope: Scope) throws(Failure) -> Page<App> {
        try apps(page, matching: AppQuery(), within: scope)
    }
}
