import QuickActions

/// The type of an event, as on the wire. A newer node may have stored a type that this program does not know. Such a type is passed on
/// unchanged.
package struct EventType: RawRepresentable, Hashable, Sendable, CaseIterable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static let published = EventType(rawValue: "shortcuts.published")
    package static let deleted = EventType(rawValue: "shortcuts.deleted")
    package static let scheduled = EventType(rawValue: "shortcuts.scheduled")
    package static let scheduleFailed = EventType(rawValue: "shortcuts.schedule-failed")
    package static let review = EventType(rawValue: "shortcuts.review")
    package static let rolloutChanged = EventType(rawValue: "shortcuts.rollout-changed")
    package static let rolloutStopped = EventType(rawValue: "shortcuts.rollout-stopped")
    package static let override = EventType(rawValue: "shortcuts.override")
    package static let releaseImported = EventType(rawValue: "release.imported")
    package static let releaseDeleted = EventType(rawValue: "release.deleted")
    package static let appCreated = EventType(rawValue: "app.created")
    package static let appDeleted = EventType(rawValue: "app.deleted")
    package static let webhookDisabled = EventType(rawValue: "webhook.disabled")
    package static let ping = EventType(rawValue: "webhook.ping")

    /// The types that this program sends.
    package static let allCases: [EventType] = [
        .published, .deleted, .scheduled, .scheduleFailed, .review, .rolloutChanged, .rolloutStopped,
        .override, .releaseImported, .releaseDeleted, .appCreated, .appDeleted,
        .webhookDisabled, .ping,
    ]

    /// - Parameter text: a type in a request.
    package init?(known text: String) {
        guard let type = Self.allCases.first(where: { $0.rawValue == text }) else { return nil }
        self = type
    }

    package static func rule(for text: String) -> String {
        "\(quoted(text)) is not an event type. Use one or more of: \(allCases.map(\.rawValue).joined(separator: ", "))."
    }
}

/// An event. The body is built once, in the transaction of the change, and is the same in every attempt.
package struct Event: Sendable {
    package let id: EventID
    package let type: EventType
    /// Nil for events about a webhook.
    package let app: AppID?
    package let occurredAt: Timestamp
    /// A JSON object with the members `type`, `timestamp` and `data`.
    package let body: [UInt8]
    /// The `traceparent` of the request that caused the event; nil if the request had none.
    package let traceParent: String?

    package init(id: EventID, type: EventType, app: AppID?, occurredAt: Timestamp, body: [UInt8], traceParent: String? = nil) {
        self.id = id
        self.type = type
        self.app = app
        self.occurredAt = occurredAt
        self.body = body
        self.traceParent = traceParent
    }
}
