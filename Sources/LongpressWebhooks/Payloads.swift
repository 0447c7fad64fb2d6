public import Foundation
internal import QuickActions

/// The data of `shortcuts.published`: a set was published.
public struct ShortcutsPublished: Sendable, Hashable {
    /// The app's bundle identifier.
    public let app: String
    /// The variant of the menu, such as `member`; `default` is for everyone.
    public let audience: String
    /// The version of the app that the set takes effect from, in three parts: `2.1.0`.
    public let version: String
    /// The revision of the set. It grows by one with every publish and deletion of the app.
    public let revision: Int64
    /// The previous revision of this set; nil if the set is new.
    public let previousRevision: Int64?
    /// The ids of items that the previous revision did not have.
    public let added: [String]
    /// The ids of items that differ from the previous revision.
    public let changed: [String]
    /// The ids of items that only the previous revision has.
    public let removed: [String]
    /// The entity tag of the answer at `url`, including its quotes; nil if the set is not served at its version.
    public let etag: String?
    /// The URL of the menu of `version`.
    public let url: URL
    /// Why the set was published, in the author's words; nil if they did not say.
    public let message: String?

    init?(_ data: JSON) {
        guard let app = data.text("app"), let audience = data.text("audience"), let version = data.text("version"),
            let revision = data.integer("revision"), let added = data.texts("added"), let changed = data.texts("changed"),
            let removed = data.texts("removed"), let url = data.text("url").flatMap({ URL(string: $0) })
        else { return nil }
        self.app = app
        self.audience = audience
        self.version = version
        self.revision = revision
        previousRevision = data.integer("previousRevision")
        self.added = added
        self.changed = changed
        self.removed = removed
        etag = data.text("etag")
        self.url = url
        message = data.text("message")
    }
}

/// The data of `shortcuts.deleted`: a set was deleted. Its versions get the set of an earlier version, or none.
public struct ShortcutsDeleted: Sendable, Hashable {
    /// The app's bundle identifier.
    public let app: String
    /// The variant of the menu, such as `member`; `default` is for everyone.
    public let audience: String
    /// The version of the app that the set took effect from.
    public let version: String
    /// The revision of the deletion.
    public let revision: Int64
    /// Why the set was deleted, in the author's words; nil if they did not say.
    public let message: String?

    init?(_ data: JSON) {
        guard let app = data.text("app"), let audience = data.text("audience"), let version = data.text("version"),
            let revision = data.integer("revision")
        else { return nil }
        self.app = app
        self.audience = audience
        self.version = version
        self.revision = revision
        message = data.text("message")
    }
}

/// The data of `shortcuts.scheduled`: a publish, a restore or an automatic revert was scheduled.
public struct ShortcutsScheduled: Sendable, Hashable {
    /// The app's bundle identifier.
    public let app: String
    /// The variant of the menu, such as `member`; `default` is for everyone.
    public let audience: String
    /// The version of the app that the set takes effect from.
    public let version: String
    /// The planned time.
    public let at: Date
    /// Why the change was scheduled, in the author's words; nil if they did not say.
    public let message: String?

    init?(_ data: JSON) {
        guard let app = data.text("app"), let audience = data.text("audience"), let version = data.text("version"),
            let at = data.date("at")
        else { return nil }
        self.app = app
        self.audience = audience
        self.version = version
        self.at = at
        message = data.text("message")
    }
}

/// The data of `shortcuts.schedule-failed`: a scheduled change failed.
public struct ShortcutsScheduleFailed: Sendable, Hashable {
    /// A reason for the failure.
    public struct Violation: Sendable, Hashable {
        /// The place in the set, such as `items[1].title`; empty for the whole set.
        public let path: String
        /// The kind of violation, such as `id-reused`.
        public let code: String
        /// A sentence with the mistake and the remedy.
        public let message: String
    }

    /// The app's bundle identifier.
    public let app: String
    /// The variant of the menu, such as `member`; `default` is for everyone.
    public let audience: String
    /// The version of the app that the set would take effect from.
    public let version: String
    /// The planned time.
    public let at: Date
    /// Why the change was scheduled, in the author's words; nil if they did not say.
    public let message: String?
    /// The reasons for the failure, at most 20.
    public let violations: [Violation]

    init?(_ data: JSON) {
        guard let scheduled = ShortcutsScheduled(data), case .array(let violations)? = data["violations"] else { return nil }
        app = scheduled.app
        audience = scheduled.audience
        version = scheduled.version
        at = scheduled.at
        message = scheduled.message
        self.violations = violations.compactMap { violation in
            guard let path = violation.text("path"), let code = violation.text("code"), let message = violation.text("message") else {
                return nil
            }
            return Violation(path: path, code: code, message: message)
        }
    }
}

/// The data of `shortcuts.rollout-changed` and `shortcuts.rollout-stopped`: a candidate menu for a share of the installations.
public struct ShortcutsRollout: Sendable, Hashable {
    /// The app's bundle identifier.
    public let app: String
    /// The variant of the menu.
    public let audience: String
    /// The version of the app at which the set begins, in three parts: `2.1.0`.
    public let version: String
    /// The id of the roll-out.
    public let rollout: String
    /// The percentage of the installations, from 0 to 100, with at most two decimals.
    public let share: Double
    /// The revision with the candidate's content.
    public let revision: Int64
    /// Why it ended: `stopped`, `replaced`, or `lost` or `worse` if its guard stopped it; nil while it runs.
    public let reason: String?

    init?(_ data: JSON) {
        guard let app = data.text("app"), let audience = data.text("audience"), let version = data.text("version"),
            let rollout = data.text("rollout"), let share = data.number("share"), let revision = data.integer("revision")
        else { return nil }
        self.app = app
        self.audience = audience
        self.version = version
        self.rollout = rollout
        self.share = share
        self.revision = revision
        reason = data.text("reason")
    }
}

/// The data of `shortcuts.review`: somebody asked for the approval of a draft, or for changes.
public struct ShortcutsReview: Sendable, Hashable {
    /// A request for approval or for changes.
    public enum Request: String, Sendable, Hashable {
        /// An editor asked for approval.
        case approval = "requested"
        /// A reviewer asked for changes.
        case changes
    }

    /// The app's bundle identifier.
    public let app: String
    /// The variant of the menu.
    public let audience: String
    /// The version of the app that the draft is for, in three parts: `2.1.0`.
    public let version: String
    /// The request.
    public let request: Request
    /// A comment of at most 200 characters; nil if there is none.
    public let comment: String?

    init?(_ data: JSON) {
        guard let app = data.text("app"), let audience = data.text("audience"), let version = data.text("version"),
            let request = data.text("state").flatMap(Request.init)
        else { return nil }
        self.app = app
        self.audience = audience
        self.version = version
        self.request = request
        comment = data.text("comment")
    }
}

/// The data of `shortcuts.override`: an owner published or scheduled without the required approvals, or lowered how many the app requires.
public struct ShortcutsOverride: Sendable, Hashable {
    /// The app's bundle identifier.
    public let app: String
    /// The variant of the menu; nil if the override does not concern one set.
    public let audience: String?
    /// The version of the app that the set takes effect from; nil if the override does not concern one set.
    public let version: String?
    /// The published revision; nil if the override did not publish exactly one.
    public let revision: Int64?
    /// The owner's reason.
    public let reason: String

    init?(_ data: JSON) {
        guard let app = data.text("app"), let reason = data.text("reason") else { return nil }
        self.app = app
        audience = data.text("audience")
        version = data.text("version")
        revision = data.integer("revision")
        self.reason = reason
    }
}

/// The data of `release.imported`: a release of the app was created or changed.
public struct ReleaseImported: Sendable, Hashable {
    /// The app's bundle identifier.
    public let app: String
    /// `CFBundleShortVersionString`, in three parts: `2.1.0`.
    public let version: String
    /// `CFBundleVersion`; nil if the release has none.
    public let build: String?
    /// The sets, at most 100, of which iOS shows another number of items because of the release.
    public let shownDifferently: [ShownSet]

    init?(_ data: JSON) {
        guard let app = data.text("app"), let version = data.text("version") else { return nil }
        self.app = app
        self.version = version
        build = data.text("build")
        shownDifferently = ShownSet.list(data)
    }
}

/// The data of `release.deleted`: a release of the app was deleted.
public struct ReleaseDeleted: Sendable, Hashable {
    /// The app's bundle identifier.
    public let app: String
    /// `CFBundleShortVersionString`, in three parts: `2.1.0`.
    public let version: String
    /// `CFBundleVersion`; nil if the release had none.
    public let build: String?
    /// The sets, at most 100, of which iOS shows another number of items without the release.
    public let shownDifferently: [ShownSet]

    init?(_ data: JSON) {
        guard let release = ReleaseImported(data) else { return nil }
        (app, version, build, shownDifferently) = (release.app, release.version, release.build, release.shownDifferently)
    }
}

/// A set of which iOS shows another number of items.
public struct ShownSet: Sendable, Hashable {
    /// The version of the app that the set takes effect from.
    public let version: String
    /// The variant of the menu, such as `member`; `default` is for everyone.
    public let audience: String

    /// Empty if an earlier version of the service sent the event.
    fileprivate static func list(_ data: JSON) -> [ShownSet] {
        guard case .array(let sets)? = data["shownDifferently"] else { return [] }
        return sets.compactMap { set in
            guard let version = set.text("version"), let audience = set.text("audience") else { return nil }
            return ShownSet(version: version, audience: audience)
        }
    }
}

/// The data of `webhook.disabled`: another webhook was disabled.
public struct WebhookDisabled: Sendable, Hashable {
    /// The id of the webhook.
    public let id: String
    /// The scheme, host and port of its URL. Nil if the stored URL is invalid.
    public let url: URL?
    /// The description of the webhook.
    public let description: String?
    /// Why: `removed` after the answer 410, `failing` if all attempts failed for some days, `operator` if an owner disabled it.
    public let reason: String

    init?(_ data: JSON) {
        guard let id = data.text("id"), let reason = data.text("reason") else { return nil }
        self.id = id
        url = data.text("url").flatMap { URL(string: $0) }
        description = data.text("description")
        self.reason = reason
    }
}

/// The members of an event's data; nil if one is missing or has another type.
extension JSON {
    func text(_ name: Text) -> String? {
        guard case .string(let text)? = self[name] else { return nil }
        return text.string
    }

    func integer(_ name: Text) -> Int64? {
        guard case .integer(let integer)? = self[name] else { return nil }
        return integer
    }

    func number(_ name: Text) -> Double? {
        switch self[name] {
        case .integer(let integer): Double(integer)
        case .real(let real): real
        default: nil
        }
    }

    func texts(_ name: Text) -> [String]? {
        guard case .array(let elements)? = self[name] else { return nil }
        return elements.compactMap { element in
            guard case .string(let text) = element else { return nil }
            return text.string
        }
    }

    /// An RFC 3339 time.
    func date(_ name: Text) -> Date? {
        text(name).flatMap { Timestamp($0) }.map { Date(timeIntervalSince1970: Double($0.milliseconds) / 1000) }
    }
}
