import QuickActions

/// An app: its bundle identifier, and the language and URL that its sets fall back to.
package struct App: Hashable, Sendable {
    package let id: AppID
    package let name: Text?
    package let defaultLanguage: LanguageTag
    package let fallbackURL: ActionURL?

    package init(id: AppID, name: Text?, defaultLanguage: LanguageTag, fallbackURL: ActionURL?) {
        self.id = id
        self.name = name
        self.defaultLanguage = defaultLanguage
        self.fallbackURL = fallbackURL
    }
}
