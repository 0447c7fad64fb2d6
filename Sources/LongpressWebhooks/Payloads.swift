public import Foundation
internal import QuickActions

/// The data of `shortcuts.published`: from now on both planes of the service answer with this revision.
public struct ShortcutsPublished: Sendable, Hashable {
    /// The app's bundle identifier.
    public let app: String
    /// `default`, or the variant of the menu.
    public let audience: String
    /// The version that the set takes effect from, with three parts: `2.1.0`.
    public let version: String
    /// Grows by one with every change of the app.
    public let revision: Int64
    /// The revision of this set before; nil for its first.
    public let previousRevision: Int64?
    /// Ids of items that the set did not have.
    public let added: [String]
    /// Ids of items that are not as they were.
    public let changed: [String]
    /// Ids of items that the set has no more.
    public let removed: [String]
    /// The entity tag that `url` answers with, quotes included; nil where the set is not served at its version.
    public let etag: String?
    /// Where the menu of `version` is fetched.
    public let url: URL

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
    }
}

/// The data of `shortcuts.deleted`.
public struct ShortcutsDeleted: Sendable, Hashable {
    /// The app's bundle identifier.
    public let app: String
    /// `default`, or the variant of the menu.
    public let audience: String
    /// The version that the set took effect from.
    public let version: String
    /// The revision that the deletion is.
    public let revision: Int64

    init?(_ data: JSON) {
        guard let app = data.text("app"), let audience = data.text("audience"), let version = data.text("version"),
            let revision = data.integer("revision")
        else { return nil }
        self.app = app
        self.audience = audience
        self.version = version
        self.revision = revision
    }
}

/// The data of `shortcuts.scheduled`.
public struct ShortcutsScheduled: Sendable, Hashable {
    /// The app's bundle identifier.
    public let app: String
    /// `default`, or the variant of the menu.
    public let audience: String
    /// The version that the set takes effect from.
    public let version: String
    /// When it will be published.
    public let at: Date

    init?(_ data: JSON) {
        guard let app = data.text("app"), let audience = data.text("audience"), let version = data.text("version"),
            let at = data.date("at")
        else { return nil }
        self.app = app
        self.audience = audience
        self.version = version
        self.at = at
    }
}

/// The data of `shortcuts.schedule-failed`.
public struct ShortcutsScheduleFailed: Sendable, Hashable {
    /// Why a set could not be published.
    public struct Violation: Sendable, Hashable {
        /// Where in the set: `items[1].title`. Empty for the whole.
        public let path: String
        /// Such as `id-reused`.
        public let code: String
        /// A sentence that says what to do.
        public let message: String
    }

    /// The app's bundle identifier.
    public let app: String
    /// `default`, or the variant of the menu.
    public let audience: String
    /// The version that the set should have taken effect from.
    public let version: String
    /// When it should have been published.
    public let at: Date
    /// The first twenty.
    public let violations: [Violation]

    init?(_ data: JSON) {
        guard let scheduled = ShortcutsScheduled(data), case .array(let violations)? = data["violations"] else { return nil }
        app = scheduled.app
        audience = scheduled.audience
        version = scheduled.version
        at = scheduled.at
        self.violations = violations.compactMap { violation in
            guard let path = violation.text("path"), let code = violation.text("code"), let message = violation.text("message") else {
                return nil
            }
            return Violation(path: path, code: code, message: message)
        }
    }
}

/// The data of `shortcuts.override`.
public struct ShortcutsOverride: Sendable, Hashable {
    /// The app's bundle identifier.
    public let app: String
    /// `default`, or the variant of the menu; nil where the override was not of one set.
    public let audience: String?
    /// The version that the set takes effect from; nil where the override was not of one set.
    public let version: String?
    /// What was published; nil where it was not one revision.
    public let revision: Int64?
    /// The reason that the owner gave.
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

/// The data of `release.imported`.
public struct ReleaseImported: Sendable, Hashable {
    /// The app's bundle identifier.
    public let app: String
    /// `CFBundleShortVersionString`, with three parts: `2.1.0`.
    public let version: String
    /// `CFBundleVersion`; nil where the release has none.
    public let build: String?

    init?(_ data: JSON) {
        guard let app = data.text("app"), let version = data.text("version") else { return nil }
        self.app = app
        self.version = version
        build = data.text("build")
    }
}
