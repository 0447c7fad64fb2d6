import QuickActions

/// What the menu says from a version on, until a later version's set takes over.
package struct ShortcutSet: Hashable, Sendable {
    package let items: [ShortcutItem]
    package let retired: [RetiredItem]
    package let fallbackURL: ActionURL?

    package func item(_ id: ItemID) -> ShortcutItem? {
        items.first { $0.id == id }
    }

    package var enabledItems: [ShortcutItem] { items.filter(\.isEnabled) }
}

/// An id that is gone, and where a tap on it should land.
package struct RetiredItem: Hashable, Sendable {
    package let id: ItemID
    package let url: ActionURL?
}
