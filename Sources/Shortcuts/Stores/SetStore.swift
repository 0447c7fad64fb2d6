import QuickActions

/// Published sets and their revisions.
package protocol SetStore: Sendable {
    /// Ascending by audience and version; of one audience where it is given.
    func sets(of app: AppID, audience: Audience?, _ page: PageRequest) throws(Failure)
        -> Page<(audience: Audience, set: PublishedSet)>
    func set(_ version: AppVersion, _ audience: Audience, of app: AppID) throws(Failure) -> PublishedSet?
    /// Runs `Publication.plan` on what stands, in one transaction with what follows from it.
    func publish(_ change: SetChange, of app: AppID, by author: Author) throws(Failure) -> PublishReceipt
    /// Newest first, of the timeline's whole life, the app's former lives included.
    func revisions(of app: AppID, _ page: PageRequest) throws(Failure) -> Page<Revision>
    func revision(_ number: Int64, of app: AppID) throws(Failure) -> Revision?
}
