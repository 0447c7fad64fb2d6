import QuickActions

/// The store of the admin plane. Every write is one transaction with its event, its deliveries and its audit entry.
package protocol AdminStore: AppStore, TapStore, TokenStore, SessionStore, PreviewLinkStore {
    // MARK: - Apps

    /// Only of apps that have something to report.
    func activity(of apps: [AppID], at now: Timestamp) throws(Failure) -> [AppID: AppActivity]
    /// A PNG; nil without an icon.
    func icon(of app: AppID) throws(Failure) -> [UInt8]?
    /// - Parameters:
    ///   - icon: nil deletes the icon.
    ///   - writeCondition: the precondition on the icon.
    /// - Returns: the app, and whether it had no icon.
    func putIcon(
        _ icon: AppIcon?, of id: AppID, by author: Author, expecting writeCondition: WriteCondition
    ) throws(Failure) -> (app: App, isNew: Bool)

    func ranking(of app: AppID, _ period: TapPeriod) throws(Failure) -> TapRanking

    // MARK: - Releases

    /// In `AppBuild.releaseOrder`.
    func releases(of app: AppID, _ page: PageRequest) throws(Failure) -> Page<Release>
    /// Creates or replaces a release.
    /// - Parameter keepsAssets: whether a release without assets keeps the stored ones.
    func putRelease(
        _ release: Release, keepsAssets: Bool, of app: AppID, by author: Author, expecting writeCondition: WriteCondition
    ) throws(Failure) -> ReleaseReceipt
    /// Without a build, the version's last release.
    func release(_ id: AppBuild, of app: AppID) throws(Failure) -> Release?
    /// - Throws: `unknownResource`, `preconditionFailed`.
    func deleteRelease(
        _ id: AppBuild, of app: AppID, by author: Author, expecting writeCondition: WriteCondition
    ) throws(Failure) -> ReleaseEffect

    // MARK: - Published sets and revisions

    /// Ascending by audience and version; only those of `audience` unless it is nil.
    func sets(of app: AppID, audience: Audience?, _ page: PageRequest) throws(Failure)
        -> Page<(audience: Audience, set: PublishedSet)>
    func set(_ version: AppVersion, _ audience: Audience, of app: AppID) throws(Failure) -> PublishedSet?
    /// Runs `Publication.plan` and writes the result, in one transaction.
    func publish(_ change: SetChange, of app: AppID, by author: Author) throws(Failure) -> PublishReceipt
    /// Changes the settings of the running roll-out. No revision is made.
    /// - Parameter writeCondition: the precondition on the candidate or its set.
    /// - Throws: `invalidDocument`.
    func changeRollout(
        of place: SetName, in app: AppID, _ patch: CandidatePatch, expecting writeCondition: WriteCondition, by author: Author
    ) throws(Failure) -> RunningRollout
    /// Ends the running roll-out, so that everyone gets the set.
    /// - Parameters:
    ///   - writeCondition: the precondition on the candidate or its set.
    ///   - message: why, for the audit.
    func stopRollout(
        of place: SetName, in app: AppID, expecting writeCondition: WriteCondition, message: RevisionMessage?, by author: Author
    ) throws(Failure) -> RunningRollout
    /// - Throws: `unknownResource` without such a set, or if no roll-out of it runs.
    func rollout(of place: SetName, in app: AppID) throws(Failure) -> RunningRollout
    /// A roll-out of the set with its counts.
    /// - Parameter revision: that of its candidate; nil for the running roll-out. If none runs, the last one.
    /// - Throws: `unknownResource` if there was none.
    func rolloutResult(of place: SetName, startedBy revision: Int64?, in app: AppID) throws(Failure) -> RolloutResult
    /// Schedules the end of the running roll-out.
    /// - Parameters:
    ///   - kind: `promote` or `stop`.
    ///   - writeCondition: the precondition on the set.
    func scheduleRolloutEnd(
        of place: SetName, in app: AppID, _ kind: ScheduleEntry.Kind, at time: Timestamp, expecting writeCondition: WriteCondition,
        message: RevisionMessage?, by author: Author
    ) throws(Failure) -> ScheduleEntry
    /// Newest first, including revisions from before the app was deleted and created again.
    /// - Parameters:
    ///   - version: only revisions of sets that start at it; nil for all.
    ///   - audience: only revisions of its timeline; nil for all.
    func revisions(of app: AppID, version: AppVersion?, audience: Audience?, _ page: PageRequest) throws(Failure) -> Page<Revision>
    func revision(_ number: Int64, of app: AppID) throws(Failure) -> Revision?

    // MARK: - Drafts

    /// Ascending by audience and version.
    func drafts(of app: AppID, _ page: PageRequest) throws(Failure) -> Page<Draft>
    func draft(_ version: AppVersion, _ audience: Audience, of app: AppID) throws(Failure) -> Draft?
    func deleteDraft(_ change: DraftChange, of app: AppID, by author: Author) throws(Failure)
    /// Publishes the draft now and deletes it, in one transaction.
    /// - Parameters:
    ///   - change: its precondition applies to the set; `If-Match` may also have the draft's entity tag.
    ///   - options: without `at`. With a share, the draft becomes a candidate.
    ///   - override: why an owner bypasses the missing approvals.
    func publishDraft(
        _ change: DraftChange, _ options: PublishOptions, override: OverrideReason?, of app: AppID, by author: Author
    ) throws(Failure) -> PublishReceipt
    /// Schedules the draft, which consumes it. With `until`, the automatic revert is scheduled too.
    /// - Throws: what publishing it now would throw.
    func scheduleDraft(
        _ change: DraftChange, at time: Timestamp, until: Timestamp?, override: OverrideReason?, of app: AppID, by author: Author
    ) throws(Failure) -> ScheduleEntry
    /// Records the author's approval of the draft in its current form. A repeated approval changes nothing.
    /// - Throws: `forbidden` for an author who saved the draft; `preconditionFailed`.
    func approveDraft(_ change: DraftChange, of app: AppID, by author: Author) throws(Failure) -> ApprovalCount
    /// Withdraws the author's approval, if there is one.
    func withdrawApproval(_ change: DraftChange, of app: AppID, by author: Author) throws(Failure)
    /// The draft's review, with the reader and the tokens that may approve it now.
    /// - Throws: `unknownResource`.
    func review(of change: DraftChange, of app: AppID, by reader: Author) throws(Failure) -> DraftReviewReport
    /// Records a request for approval, or for changes, which withdraws the author's approval.
    /// - Throws: `unknownResource`; `preconditionFailed`; `invalidDocument` with what an incomplete draft lacks.
    func review(
        _ change: DraftChange, _ request: DraftReviewDocument.Request, of app: AppID, by author: Author
    ) throws(Failure) -> DraftReviewReport

    /// Creates or changes a draft. A change removes the draft's approvals. If there is no draft, a patch starts one from the published set.
    /// Saving the same content changes nothing.
    /// - Throws: `unknownResource` if there is nothing to patch; `preconditionFailed`; `invalidDocument` or
    ///   `idReused`, as a publish would.
    func editDraft(_ edit: DraftEdit, _ change: DraftChange, of app: AppID, by author: Author) throws(Failure) -> DraftReceipt
    /// Performs the checks of `editDraft` and writes nothing.
    func tryDraft(_ edit: DraftEdit, _ change: DraftChange, of app: AppID) throws(Failure) -> [Warning]
    /// Performs the checks of `AdminStore.publish` and writes nothing.
    func tryPublish(_ change: SetChange, of app: AppID, by author: Author) throws(Failure) -> [Warning]

    // MARK: - Schedule

    /// Ordered by time.
    func schedule(of app: AppID, _ page: PageRequest) throws(Failure) -> Page<ScheduleEntry>
    func scheduleEntry(_ id: ScheduleID, of app: AppID) throws(Failure) -> ScheduleEntry?
    /// Schedules the restore of a revision for its version and audience.
    /// - Parameters:
    ///   - writeCondition: the precondition on the set.
    ///   - message: stored with the revision that the restore makes.
    /// - Throws: `unknownResource`; `conflict` if the revision is a deletion; what a publish would throw now.
    func scheduleRestore(
        of revision: Int64, at time: Timestamp, expecting writeCondition: WriteCondition, message: RevisionMessage?, of app: AppID,
        by author: Author
    ) throws(Failure) -> ScheduleEntry
    /// Cancels an entry. Cancelling a publish also cancels its automatic revert.
    /// - Throws: `unknownResource`.
    func cancel(_ id: ScheduleID, of app: AppID, by author: Author) throws(Failure)

    // MARK: - Trees of apps

    /// Runs `ApplyPlan` and writes the result in one transaction.
    /// - Parameter dryRun: computes the plan and writes nothing.
    /// - Throws: what `ApplyPlan` throws.
    func apply(_ request: ApplyRequest, dryRun: Bool, by author: Author) throws(Failure) -> ApplyPlan

    // MARK: - Export and import

    /// Writes the document of an export in parts, from one snapshot of the database.
    /// - Throws: `unknownApp` if a selected app neither exists nor was deleted; what `write` throws.
    func export(_ selection: ArchiveSelection, to write: @escaping ([UInt8]) throws(Failure) -> Void) throws(Failure)
    /// Imports the archive in one transaction.
    /// - Parameters:
    ///   - replacing: replaces apps that exist or were deleted. Without it they are a `conflict`.
    ///   - dryRun: computes the replacements or conflicts, and writes nothing.
    ///   - override: why an owner lowers the approvals that apps require.
    /// - Returns: the replacements of apps that exist or were deleted.
    @discardableResult
    func importArchive(
        _ archive: Archive, replacing: Bool, dryRun: Bool, override: OverrideReason?, by author: Author
    ) throws(Failure) -> [Replacement]

    // MARK: - Webhook endpoints

    /// Oldest first; only endpoints whose apps are in the scope.
    func endpoints(_ page: PageRequest, within scope: Scope) throws(Failure) -> Page<Endpoint>
    func endpoint(_ id: EndpointID) throws(Failure) -> Endpoint?
    /// For each of these endpoints that is ordered and blocked, the delivery that blocks it.
    func blockingDeliveries(of endpoints: [Endpoint]) throws(Failure) -> [EndpointID: BlockingDelivery]
    func createEndpoint(_ endpoint: Endpoint, by author: Author) throws(Failure)
    /// Changes an endpoint; `change` runs inside the transaction. Disabling holds pending deliveries. Deliveries that no longer pass the
    /// filters are cancelled.
    /// - Parameters:
    ///   - isEnabling: whether the request says `enabled: true`. It ends the failure window and the pause of the endpoint, even if it was
    ///     enabled.
    ///   - isRecovering: whether exhausted and held deliveries are made due again in the same transaction, as by `AdminStore.recover`.
    /// - Throws: `unknownResource`.
    func updateEndpoint(
        _ id: EndpointID, isEnabling: Bool, isRecovering: Bool, by author: Author, change: (Endpoint) throws(Failure) -> Endpoint
    ) throws(Failure) -> Endpoint
    /// Deletes an endpoint with its pending deliveries.
    func deleteEndpoint(_ id: EndpointID, by author: Author) throws(Failure)
    /// Queues a `webhook.ping` to this endpoint only; its filters do not apply.
    func ping(_ id: EndpointID, by author: Author) throws(Failure) -> DeliveryID

    // MARK: - Deliveries

    /// Newest first, with their attempts.
    /// - Parameters:
    ///   - state: only deliveries in this state; nil for all.
    ///   - type: only events of this type; nil for all.
    func deliveries(to endpoint: EndpointID, in state: Delivery.State?, of type: EventType?, _ page: PageRequest) throws(Failure)
        -> Page<Delivery>
    func delivery(_ id: DeliveryID) throws(Failure) -> Delivery?
    /// Makes a delivery due for one manual attempt outside its schedule, in any state, with the same id and bytes. If the attempt fails,
    /// the delivery returns to its state.
    /// - Throws: `unknownResource`.
    func resend(_ id: DeliveryID, by author: Author) throws(Failure) -> Delivery
    /// Makes the exhausted and held deliveries of an endpoint due again, at the start of their retry schedules. A disabled endpoint stays
    /// disabled, and its deliveries wait.
    /// - Parameter since: only deliveries created at that time or later; nil for all.
    /// - Returns: the number of deliveries.
    /// - Throws: `unknownResource`.
    func recover(_ endpoint: EndpointID, since: Timestamp?, by author: Author) throws(Failure) -> Int
    /// Cancels the held deliveries of an endpoint, so that an ordered one continues with later deliveries.
    /// - Returns: the number of deliveries.
    /// - Throws: `unknownResource`.
    func skipHeld(of endpoint: EndpointID, by author: Author) throws(Failure) -> Int
    /// Makes `secret` the current one from the next attempt on. Attempts before `end` are signed with the previous secret too; if `end`
    /// is past, the previous secret is deleted.
    /// - Throws: `unknownResource`.
    func rotateSecret(of endpoint: EndpointID, to secret: String, previousExpiresAt end: Timestamp, by author: Author)
        throws(Failure)

    // MARK: - Audit

    /// Newest first; oldest first with `filter.after`. Only entries of the scope's apps. Entries without an app need the scope `all`.
    func audit(_ page: PageRequest, matching filter: AuditFilter, within scope: Scope) throws(Failure) -> Page<AuditEntry>

    // MARK: - Search

    /// Apps by id, then sets, then drafts. Sets and drafts are ordered by app, audience and version, the newest version first. Reading for
    /// one page is bounded, so a page before the last one may have fewer hits than its limit, or none.
    func search(_ words: SearchWords, within scope: Scope, _ page: PageRequest) throws(Failure) -> Page<SearchHit>

    // MARK: - Nodes

    /// The living nodes, by name and start. A database of one process has one node.
    func nodes() throws(Failure) -> [Node]

    // MARK: - Database

    func databaseDescription() throws(Failure) -> DatabaseDescription
}

extension AdminStore {
    package func revisions(of app: AppID, _ page: PageRequest) throws(Failure) -> Page<Revision> {
        try revisions(of: app, version: nil, audience: nil, page)
    }

    @discardableResult
    package func importArchive(_ archive: Archive, replacing: Bool, dryRun: Bool, by author: Author) throws(Failure) -> [Replacement] {
        try importArchive(archive, replacing: replacing, dryRun: dryRun, override: nil, by: author)
    }

    package func audit(_ page: PageRequest, within scope: Scope) throws(Failure) -> Page<AuditEntry> {
        try audit(page, matching: AuditFilter(), within: scope)
    }
}

/// Selects the part of the store to export.
package struct ArchiveSelection: Sendable {
    /// The apps to which a token has access.
    package var scope = Scope.all
    /// The requested apps, all in the scope; empty for all.
    package var apps: Set<AppID> = []
    /// Whether to export only the revisions that are published or that a scheduled restore needs. The revision counters are always
    /// exported.
    package var leavesHistoryOut = false

    package init() {}
}
