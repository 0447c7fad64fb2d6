import QuickActions

/// The types of events, as on the wire.
package enum EventType: String, Sendable, CaseIterable {
    case published = "shortcuts.published"
    case deleted = "shortcuts.deleted"
    case scheduled = "shortcuts.scheduled"
    case scheduleFailed = "shortcuts.schedule-failed"
    case override = "shortcuts.override"
    case releaseImported = "release.imported"
    case appCreated = "app.created"
    case appDeleted = "app.deleted"
    case ping = "webhook.ping"
}

/// An event. The body is built once, in the transaction of the change, and is the same in every attempt.
package struct Event: Sendable {
    package let id: EventID
    package let type: EventType
    /// Nil for `webhook.ping` only.
    package let app: AppID?
    package let occurredAt: Timestamp
    /// A JSON object with the members `type`, `timestamp` and `data`.
    package let body: [UInt8]

    package init(id: EventID, type: EventType, app: AppID?, occurredAt: Timestamp, body: [UInt8]) {
        self.id = id
        self.type = type
        self.app = app
        self.occurredAt = occurredAt
        self.body = body
    }
}
