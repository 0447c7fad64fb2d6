import QuickActions

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
