/// A part of a list. `next` is the opaque cursor of the part after it, nil at the end.
package struct Page<Element: Sendable>: Sendable {
    package let items: [Element]
    package let next: String?

    package init(items: [Element], next: String?) {
        self.items = items
        self.next = next
    }
}

/// Which part of a list is wanted.
package struct PageRequest: Sendable {
    package let limit: Int
    /// What a former page's `next` said. An unreadable one is `Failure(.invalidParameter)`.
    package let cursor: String?

    package init(limit: Int = 50, cursor: String? = nil) {
        self.limit = limit
        self.cursor = cursor
    }
}

/// An app as it stands, for whoever only reads.
package protocol AppReader: Sendable {
    /// Nil when there is no such app.
    func snapshot(of id: AppID) throws(Failure) -> AppSnapshot?
    /// Those of the ids that were ever published in the audience's timeline.
    func publishedIDs(among ids: Set<ItemID>, in audience: Audience, of app: AppID) throws(Failure) -> Set<ItemID>
    /// The audience's draft with the greatest starting version that is not above `version`.
    func draft(effectiveFor version: AppVersion, _ audience: Audience, of app: AppID) throws(Failure) -> Draft?
}

/// Apps. Every write is one transaction with its event, its deliveries and its audit entry.
package protocol AppStore: AppReader {
    /// By id, ascending; only those in the scope.
    func apps(_ page: PageRequest, within scope: Scope) throws(Failure) -> Page<App>
    func app(_ id: AppID) throws(Failure) -> App?
    /// Creates or replaces; `change` is given the stored app and is run inside the transaction.
    /// - Returns: whether the app is new.
    func putApp(_ id: AppID, by author: Author, change: (AppSnapshot?) throws(Failure) -> App) throws(Failure)
        -> (app: App, isNew: Bool)
    /// Deletes the app with its releases and sets; revisions and the counter stay. `unknownApp` when there is none.
    func deleteApp(_ id: AppID, by author: Author, expecting precondition: Precondition) throws(Failure)
}

package protocol ReleaseStore: Sendable {
    /// In `AppBuild.releaseOrder`.
    func releases(of app: AppID, _ page: PageRequest) throws(Failure) -> Page<Release>
    /// - Returns: the release as stored (with the assets that were known, where `keepsAssets`), whether it is new.
    func putRelease(
        _ release: Release, keepsAssets: Bool, of app: AppID, by author: Author, expecting precondition: Precondition
    ) throws(Failure) -> (release: Release, isNew: Bool)
    /// Without a build: the version's last release. Nil when there is none.
    func release(_ id: AppBuild, of app: AppID) throws(Failure) -> Release?
    /// `unknownResource` when there is none.
    func deleteRelease(_ id: AppBuild, of app: AppID, by author: Author, expecting precondition: Precondition) throws(Failure)
}

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
    /// - Parameter change: its precondition is about the set; `If-Match` may name the draft's tag instead.
    func publishDraft(_ change: DraftChange, of app: AppID, by author: Author) throws(Failure) -> PublishReceipt
    /// Gives the draft a time, or another one.
    /// - Returns: what publishing it now would warn of.
    func scheduleDraft(_ change: DraftChange, at time: Timestamp, of app: AppID, by author: Author) throws(Failure) -> [Warning]
}

/// What comes due by itself.
package protocol ScheduleStore: Sendable {
    /// Publishes the first draft that is due, and drops it, in one transaction: never twice. What cannot be published any
    /// more stays a draft without a time, and is announced.
    /// - Returns: nil where nothing is due.
    func publishNextDue(at now: Timestamp) throws(Failure) -> DuePublish?
    /// The first time after `time` at which a draft is due.
    func nextPublish(after time: Timestamp) throws(Failure) -> Timestamp?
    /// The apps with a draft that is due at `time` or before it.
    func appsPublishing(until time: Timestamp) throws(Failure) -> [AppID]
}

/// All that editors made, out of the store and into it.
package protocol ArchiveStore: Sendable {
    /// Of one moment; only the apps in the scope.
    func archive(within scope: Scope) throws(Failure) -> Archive
    /// Brings all of it in one transaction, or nothing: `conflict` where an app of it, or its history, is there already.
    /// - Parameter isRehearsal: looks for conflicts and writes nothing.
    func bring(_ archive: Archive, isRehearsal: Bool, by author: Author) throws(Failure)
}

package protocol TapStore: Sendable {
    /// Adds to what is counted. Ids that nobody ever published are counted together, and so is what an hour has too many
    /// kinds of; an app that is gone is left out.
    func add(_ counts: [HourlyTaps: Int]) throws(Failure)
    /// From the hour of `time` on.
    func taps(of app: AppID, since time: Timestamp) throws(Failure) -> TapStatistics
}

/// Counts taps beside their answers.
package protocol TapCounter: Sendable {
    func count(_ kind: TapKind)
    /// Brings what was counted into the store.
    func settle()
}

package protocol TokenStore: Sendable {
    /// Oldest first; only those whose scope is covered.
    func tokens(_ page: PageRequest, within scope: Scope) throws(Failure) -> Page<Token>
    /// The stored tokens whose hash begins with the same eight bytes; the caller compares the rest in constant time.
    func tokens(hashPrefix: [UInt8]) throws(Failure) -> [Token]
    func token(_ id: String) throws(Failure) -> Token?
    func hasTokens() throws(Failure) -> Bool
    func createToken(_ token: Token, by author: Author) throws(Failure)
    func revokeToken(_ id: String, by author: Author) throws(Failure)
}

package protocol EndpointStore: Sendable {
    /// Oldest first; only those whose apps the scope covers.
    func endpoints(_ page: PageRequest, within scope: Scope) throws(Failure) -> Page<Endpoint>
    func endpoint(_ id: String) throws(Failure) -> Endpoint?
    func createEndpoint(_ endpoint: Endpoint, by author: Author) throws(Failure)
    /// `change` runs inside the transaction. Disabling holds what is pending; what no longer passes the filter is
    /// cancelled. `unknownResource` when there is none.
    /// - Parameter isEnabling: somebody says that it is to be sent to: that ends its failure window and its hold, also
    ///   where it was enabled before.
    func updateEndpoint(
        _ id: String, isEnabling: Bool, by author: Author, change: (Endpoint) throws(Failure) -> Endpoint
    ) throws(Failure) -> Endpoint
    /// Drops what is pending for it.
    func deleteEndpoint(_ id: String, by author: Author) throws(Failure)
    /// Queues a `webhook.ping` to this endpoint only, whatever its filters.
    /// - Returns: the delivery's id.
    func ping(_ id: String, by author: Author) throws(Failure) -> String
}

package protocol AuditStore: Sendable {
    /// Newest first; only entries of the scope's apps (entries of no app for an unlimited scope only).
    func audit(_ page: PageRequest, within scope: Scope) throws(Failure) -> Page<AuditEntry>
}
