public import Foundation
internal import QuickActions

/// An event: a change that the service reports.
public struct WebhookEvent: Sendable, Hashable {
    /// The `webhook-id`. It is the same in every attempt and for every endpoint. Store it to handle each event once.
    public let id: String
    /// The type, such as `shortcuts.published`.
    public let type: String
    /// The time of the event, in milliseconds. It is the same in every attempt.
    public let timestamp: Date
    /// The event's data, by its type.
    public let payload: Payload

    /// The data of an event, by the event's type.
    public enum Payload: Sendable, Hashable {
        /// `shortcuts.published`: a set was published.
        case shortcutsPublished(ShortcutsPublished)
        /// `shortcuts.deleted`: a set was deleted.
        case shortcutsDeleted(ShortcutsDeleted)
        /// `shortcuts.scheduled`: a publish, a restore or an automatic revert was scheduled.
        case shortcutsScheduled(ShortcutsScheduled)
        /// `shortcuts.schedule-failed`: a scheduled change failed.
        case shortcutsScheduleFailed(ShortcutsScheduleFailed)
        /// `shortcuts.review`: somebody asked for the approval of a draft, or for changes.
        case shortcutsReview(ShortcutsReview)
        /// `shortcuts.rollout-changed`: a roll-out began, or its share changed.
        case shortcutsRolloutChanged(ShortcutsRollout)
        /// `shortcuts.rollout-stopped`: a roll-out ended without a promotion.
        case shortcutsRolloutStopped(ShortcutsRollout)
        /// `shortcuts.override`: an owner published or scheduled without the required approvals, or lowered how many the app requires.
        case shortcutsOverride(ShortcutsOverride)
        /// `release.imported`: a release of an app was created or changed.
        case releaseImported(ReleaseImported)
        /// `release.deleted`: a release of an app was deleted.
        case releaseDeleted(ReleaseDeleted)
        /// `app.created`: an app was created. The value is its bundle identifier.
        case appCreated(app: String)
        /// `app.deleted`: an app was deleted with its sets and releases. The value is its bundle identifier.
        case appDeleted(app: String)
        /// `webhook.disabled`: another webhook was disabled.
        case webhookDisabled(WebhookDisabled)
        /// `webhook.ping`: somebody tests the endpoint.
        case ping
        /// An event of a type, or with members, that this version of the library does not know. `data` is its data as JSON.
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
    /// Nil if the type is unknown or a member is missing.
    fileprivate init?(_ type: String, _ data: JSON) {
        let payload: Self? =
            switch type {
            case "shortcuts.published": ShortcutsPublished(data).map(Self.shortcutsPublished)
            case "shortcuts.deleted": ShortcutsDeleted(data).map(Self.shortcutsDeleted)
            case "shortcuts.scheduled": ShortcutsScheduled(data).map(Self.shortcutsScheduled)
            case "shortcuts.schedule-failed": ShortcutsScheduleFailed(data).map(Self.shortcutsScheduleFailed)
            case "shortcuts.review": ShortcutsReview(data).map(Self.shortcutsReview)
            case "shortcuts.rollout-changed": ShortcutsRollout(data).map(Self.shortcutsRolloutChanged)
            case "shortcuts.rollout-stopped": ShortcutsRollout(data).map(Self.shortcutsRolloutStopped)
            case "shortcuts.override": ShortcutsOverride(data).map(Self.shortcutsOverride)
            case "release.imported": ReleaseImported(data).map(Self.releaseImported)
            case "release.deleted": ReleaseDeleted(data).map(Self.releaseDeleted)
            case "app.created": data.text("app").map(Self.appCreated)
            case "app.deleted": data.text("app").map(Self.appDeleted)
            case "webhook.disabled": WebhookDisabled(data).map(Self.webhookDisabled)
            case "webhook.ping": .ping
            default: nil
            }
        guard let payload else { return nil }
        self = payload
    }
}
