public import Foundation
internal import QuickActions

/// What happened, as the service tells it.
public struct WebhookEvent: Sendable, Hashable {
    /// The `webhook-id`. It is the same in every attempt and for every endpoint: remember it to handle an event once.
    public let id: String
    /// Such as `shortcuts.published`.
    public let type: String
    /// When it happened, in every attempt the same; to the millisecond.
    public let timestamp: Date
    public let payload: Payload

    /// What the event says, by its type.
    public enum Payload: Sendable, Hashable {
        /// `shortcuts.published`: a set of shortcuts is another one from now on.
        case shortcutsPublished(ShortcutsPublished)
        /// `shortcuts.deleted`: a set is gone; the version's clients are served the one before.
        case shortcutsDeleted(ShortcutsDeleted)
        /// `shortcuts.scheduled`: a set will be published.
        case shortcutsScheduled(ShortcutsScheduled)
        /// `shortcuts.schedule-failed`: a set could not be published when it was due.
        case shortcutsScheduleFailed(ShortcutsScheduleFailed)
        /// `shortcuts.override`: an owner published without the approvals that the app needs.
        case shortcutsOverride(ShortcutsOverride)
        /// `release.imported`
        case releaseImported(ReleaseImported)
        /// `app.created`
        case appCreated(app: String)
        /// `app.deleted`
        case appDeleted(app: String)
        /// `webhook.ping`: somebody tries the endpoint.
        case ping
        /// An event that this version of the package does not know, or knows with other members.
        /// - Parameter data: the event's `data` as JSON.
        case unknown(type: String, data: Data)
    }

    init?(id: String, body: [UInt8]) {
        guard let event = try? JSONReader.read(body), let type = event.text("type"), let timestamp = event.date("timestamp"),
            let data = event["data"], case .object = data
        else { return nil }
        self.id = id
        self.type = type
        self.timestamp = timestamp
        payload = Payload(type, data) ?? .unknown(type: type, data: Data(data.encoded))
    }
}

extension WebhookEvent.Payload {
    /// Nil for a type that is not known, or where a member is missing.
    fileprivate init?(_ type: String, _ data: JSON) {
        let payload: Self? =
            switch type {
            case "shortcuts.published": ShortcutsPublished(data).map(Self.shortcutsPublished)
            case "shortcuts.deleted": ShortcutsDeleted(data).map(Self.shortcutsDeleted)
            case "shortcuts.scheduled": ShortcutsScheduled(data).map(Self.shortcutsScheduled)
            case "shortcuts.schedule-failed": ShortcutsScheduleFailed(data).map(Self.shortcutsScheduleFailed)
            case "shortcuts.override": ShortcutsOverride(data).map(Self.shortcutsOverride)
            case "release.imported": ReleaseImported(data).map(Self.releaseImported)
            case "app.created": data.text("app").map(Self.appCreated)
            case "app.deleted": data.text("app").map(Self.appDeleted)
            case "webhook.ping": .ping
            default: nil
            }
        guard let payload else { return nil }
        self = payload
    }
}
