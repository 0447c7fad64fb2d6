import QuickActions

/// Which apps are listed, and in which order.
package struct AppQuery: Sendable {
    package enum Order: String, Sendable, CaseIterable {
        /// Ascending.
        case id
        /// Ascending, whatever the case; an app without a name is among the others by its id.
        case name
        /// The app that was published last comes first, and those that were never published last.
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
