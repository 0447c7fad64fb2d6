import QuickActions

/// An app: its bundle identifier, the language and URL that its sets fall back to, and the approvals that its drafts need.
package struct App: Hashable, Sendable {
    /// The numbers of approvals that an app may require.
    package static let approvalRange: ClosedRange<Int64> = 0...5

    package let id: AppID
    package let name: Text?
    package let defaultLanguage: LanguageTag
    package let fallbackURL: ActionURL?
    /// How many approvals a draft needs before it is published or scheduled: one of `approvalRange`.
    package let approvals: Int64
    /// The languages of its menus, in the order of its editors. The default language is one of them.
    package let languages: [LanguageTag]
    /// The entity tag of its icon; nil without an icon.
    package var icon: String?

    /// - Parameter languages: if the default language is not one of them, it is added as the first.
    package init(
        id: AppID, name: Text?, defaultLanguage: LanguageTag, fallbackURL: ActionURL?, approvals: Int64 = 0,
        languages: [LanguageTag] = [], icon: String? = nil
    ) {
        self.id = id
        self.name = name
        self.defaultLanguage = defaultLanguage
        self.fallbackURL = fallbackURL
        self.approvals = approvals
        self.languages = (languages.contains(defaultLanguage) ? [] : [defaultLanguage]) + languages
        self.icon = icon
    }

    /// The app with the languages of these sets added behind its own, in alphabetical order.
    package func adding(languagesOf sets: [ShortcutSet]) -> App {
        let found = Set(sets.flatMap(\.titleLanguages)).subtracting(languages).sorted()
        return App(
            id: id, name: name, defaultLanguage: defaultLanguage, fallbackURL: fallbackURL, approvals: approvals,
            languages: Array((languages + found).prefix(AppDocument.maxLanguages)), icon: icon)
    }
}

/// The filter and order of a list of apps.
package struct AppQuery: Sendable {
    package enum Order: String, Sendable, CaseIterable {
        /// Ascending.
        case id
        /// Ascending, case-insensitive. An app without a name is ordered by its id.
        case name
        /// The last published app first. Apps that were never published come last.
        case publishedAt
        /// Apps that need attention first, then by taps.
        case attention
    }

    package let order: Order
    /// Part of an id or a name, in lower case; nil for all apps.
    private let text: String?

    package let onlyAttention: Bool

    /// - Parameters:
    ///   - text: empty for all apps.
    ///   - onlyAttention: whether to list only apps that need attention.
    package init(_ text: String = "", by order: Order = .id, onlyAttention: Bool = false) {
        self.order = order
        self.text = text.isEmpty ? nil : text.lowercased()
        self.onlyAttention = onlyAttention
    }

    /// Whether some apps may be left out.
    package var isFilter: Bool { text != nil || onlyAttention }

    package func matches(_ app: App) -> Bool {
        guard let text else { return true }
        return app.id.description.lowercased().contains(text) || app.name?.string.lowercased().contains(text) ?? false
    }
}
