internal import QuickActions

/// The dynamic quick actions of one version of an app, in one language.
public struct QuickActionMenu: Sendable, Equatable {
    /// The bundle identifier.
    public let app: String
    /// The version that it is for, in three parts: `2.1.0`.
    public let version: String
    /// The audience that was served: `default` where the one asked for has no menu of its own.
    public let audience: String
    /// The BCP 47 tag of the language that was chosen for the menu. An item without a title in it is in the app's default language.
    public let language: String
    /// Of the set that is served: it grows with every publish of the app.
    public let revision: Int64
    /// In the order in which they are registered. None means: clear the menu.
    public let items: [QuickActionItem]

    /// A menu as it is given; nothing is checked.
    public init(app: String, version: String, audience: String, language: String, revision: Int64, items: [QuickActionItem]) {
        self.app = app
        self.version = version
        self.audience = audience
        self.language = language
        self.revision = revision
        self.items = items
    }
}

extension QuickActionMenu {
    init(_ menu: ServedMenu) {
        self.init(
            app: menu.subject.app.description, version: menu.subject.version.description, audience: menu.subject.audience.description,
            language: menu.language.description, revision: menu.subject.revision, items: menu.items.map(QuickActionItem.init))
    }
}
