import QuickActions

/// Published sets and their revisions.
package protocol SetStore: Sendable {
    /// Ascending by audience and version; only those of `audience` unless it is nil.
    func sets(of app: AppID, audience: Audience?, _ page: PageRequest) throws(Failure)
        -> Page<(audience: Audience, set: PublishedSet)>
    func set(_ version: AppVersion, _ audience: Audience, of app: AppID) throws(Failure) -> PublishedSet?
    /// Runs `Publication.plan` and writes the result, in one transaction.
    func publish(_ change: SetChange, of app: AppID, by author: Author) throws(Failure) -> PublishReceipt
    /// Newest first, including revisions from before the app was deleted and created again.
    /// - Parameters:
    ///   - version: only revisions of sets that start at it; nil for all.
    ///   - audience: only revisions of its timeline; nil for all.
    func revisions(of app: AppID, version: AppVersion?, audience: Audience?, _ page: PageRequest) throws(Failure) -> Page<Revision>
    func revision(_ number: Int64, of app: AppID) throws(Failure) -> Revision?
}

extension SetStore {
    package func revisions(of app: AppID, _ page: PageRequest) throws(Failure) -> Page<Revision> {
        try revisions(of: app, version: nil, audience: nil, page)
    }
}
