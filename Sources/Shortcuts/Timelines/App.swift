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

    package init(id: AppID, name: Text?, defaultLanguage: LanguageTag, fallbackURL: ActionURL?, approvals: Int64 = 0) {
        self.id = id
        self.name = name
        self.defaultLanguage = defaultLanguage
        self.fallbackURL = fallbackURL
        self.approvals = approvals
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
    }

    package let order: Order
    /// Part of an id or a name, in lower case; nil for all apps.
    private let text: String?

    /// - Parameter text: empty for all apps.
    package init(_ text: String = "", by order: Order = .id) {
        self.order = order
        self.text = text.isEmpty ? nil : text.lowercased()
    }

    package var isSearch: Bool { text != nil }

    package func matches(_ app: App) -> Bool {
        guard let text else { return true }
        return app.id.description.lowercased().contains(text) || app.name?.string.lowercased().contains(text) ?? false
    }
}
