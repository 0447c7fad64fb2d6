import QuickActions
import Shortcuts

/// A write in progress. It collects the changes that the observers receive after the commit.
struct Transaction {
    struct Effects {
        /// The new stamp of each app that was changed.
        var stamps: [AppID: String] = [:]
        var hasQueuedDeliveries = false
        var hasScheduled = false
        var hasEndedCredentials = false
        var changedEndpoints: Set<EndpointID> = []
        var notices: [CommitNotice] = []
        /// Changes for the live stream, in their order.
        var streamed: [(app: AppID, change: StreamedChange)] = []
        /// The tag of the last row that was written to the journal.
        var streamTag: String?

        /// Apps come first, so that answers are up to date before a webhook or an event of the stream is sent.
        var changes: [Change] {
            stamps.keys.map(Change.app) + (streamTag.map { [.stream(tag: $0)] } ?? [])
                + (changedEndpoints.isEmpty ? [] : [.endpoints(changedEndpoints)])
                + (hasQueuedDeliveries ? [.deliveries] : []) + (hasScheduled ? [.schedule] : [])
                + (hasEndedCredentials ? [.credentials] : []) + notices.map(Change.notice)
        }
    }

    let connection: any SQLConnection
    let snapshots: SnapshotCache
    let announcer: Announcer
    let identifiers: @Sendable () -> String
    let clock: any WallClock
    /// In milliseconds.
    let firstAttemptDelay: Int64
    let noteUnreadable: @Sendable (UnreadableRow) -> Void
    /// All endpoints, for a transaction with many events; nil to look them up for each event.
    let endpoints: [Endpoint]?
    let quota: AppQuota
    var effects = Effects()
    /// The subscribers to events of one type of one app, read ahead.
    var subscribers: (type: EventType, app: AppID, endpoints: [Endpoint])?
    var menus = MenuSource.renderedInTransaction
    /// The menu for which the transaction failed, because it was not rendered before.
    private(set) var missingMenu: MenuContent?

    func snapshot(of app: AppID) throws(Failure) -> AppSnapshot? {
        guard var stored = try connection.storedApp(app, snapshots, isCommitted: false) else { return nil }
        return try stored.snapshot()
    }

    /// - Throws: if the menu must be rendered first; see `Store.writeMenu`.
    mutating func rendered(_ content: MenuContent) throws(Failure) -> RenderedMenu {
        switch menus {
        case .renderedInTransaction: return announcer.render(content)
        case .renderedBefore(let menu?) where menu.content == content: return menu
        case .renderedBefore:
            missingMenu = content
            throw Failure(.overloaded, "The app was changed meanwhile. Send the request again.")
        }
    }

    /// Gives the app a new stamp, which invalidates every cached snapshot and answer of it, and reports the change to the stream.
    /// - Parameters:
    ///   - change: the change for the stream; nil if `tell` was already called for it.
    ///   - stored: the app after this write if it is known, so that it need not be read again.
    mutating func renewStamp(
        of app: AppID, telling change: StreamedChange? = .app, leaving stored: StoredApp? = nil
    ) throws(Failure) {
        if let change { tell(change, of: app) }
        let stamp = identifiers()
        try connection.enqueue("UPDATE apps SET stamp = ? WHERE id = ?", [.text(stamp), SQLValue(app)])
        if let stored { snapshots.keepPending(stored.renewed(stamp)) }
        effects.stamps[app] = stamp
    }

    /// Inserts an event, and a delivery for each endpoint that subscribes to it. The delivery to a disabled endpoint is held.
    mutating func announce(_ event: Event) throws(Failure) {
        try insert(event)
        for endpoint in try subscribers(to: event) { try queue(event, for: endpoint) }
    }

    private func subscribers(to event: Event) throws(Failure) -> [Endpoint] {
        if let endpoints { return endpoints.filter { $0.subscribes(to: event.type, of: event.app) } }
        if let subscribers, subscribers.type == event.type, subscribers.app == event.app { return subscribers.endpoints }
        return try connection.endpoints(wanting: event.type, of: event.app, unreadable: noteUnreadable)
    }

    func insert(_ event: Event) throws(Failure) {
        try connection.enqueue(
            "INSERT INTO events (id, type, app, occurred_at, body, traceparent) VALUES (?, ?, ?, ?, ?, ?)",
            [
                SQLValue(event.id), .text(event.type.rawValue), SQLValue(event.app), SQLValue(event.occurredAt),
                SQLValue(utf8: event.body), SQLValue(event.traceParent),
            ])
    }

    /// - Returns: the delivery's id.
    @discardableResult
    mutating func queue(_ event: Event, for endpoint: Endpoint) throws(Failure) -> DeliveryID {
        let id = DeliveryID(identifiers())
        let due = event.occurredAt.milliseconds + firstAttemptDelay
        try connection.enqueue(
            "INSERT INTO deliveries (id, event, endpoint, state, created_at, next_attempt_at) VALUES (?, ?, ?, ?, ?, ?)",
            [
                SQLValue(id), SQLValue(event.id), SQLValue(endpoint.id),
                .text((endpoint.enabled ? Delivery.State.pending : .held).rawValue), SQLValue(event.occurredAt),
                endpoint.enabled ? .integer(due) : .null,
            ])
        if endpoint.enabled { effects.hasQueuedDeliveries = true }
        return id
    }
}

/// Where the menu that a transaction publishes comes from.
enum MenuSource {
    case renderedBefore(RenderedMenu?)
    /// For a bulk write, which runs on a snapshot, and as the last resort of `Store.writeMenu`.
    case renderedInTransaction
}
