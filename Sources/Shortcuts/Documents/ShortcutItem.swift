/// One dynamic quick action as its editors wrote it, checked.
package struct ShortcutItem: Hashable, Sendable {
    package let id: ItemID
    package let type: Text
    package let titles: LocalizedText
    package let subtitles: LocalizedText
    package let icon: ShortcutIcon?
    package let url: ActionURL?
    package let userInfo: PropertyList.Dictionary
    package let targetContentIdentifier: Text?
    /// A disabled item stays known: its taps resolve, it is not served.
    package let isEnabled: Bool
    /// Ids of earlier items that this one took over.
    package let replaces: [ItemID]
}

/// `{language: text}`, sorted by the canonical tag.
package struct LocalizedText: Hashable, Sendable {
    package struct Row: Hashable, Sendable {
        package let language: LanguageTag
        package let text: Text
    }

    package let rows: [Row]

    package static let empty = LocalizedText(rows: [])

    package init(rows: [Row]) {
        self.rows = rows.sorted { $0.language < $1.language }
    }

    package subscript(language: LanguageTag) -> Text? {
        rows.first { $0.language == language }?.text
    }
}

/// What is drawn beside a title. When several are given the system takes symbol, then file, then type.
package struct ShortcutIcon: Hashable, Sendable {
    /// An SF Symbol (iOS 13).
    package let symbol: Text?
    /// A template image in the app's assets.
    package let file: Text?
    package let type: SystemIconType?
}

/// An id that is gone, and where a tap on it should land.
package struct RetiredItem: Hashable, Sendable {
    package let id: ItemID
    package let url: ActionURL?
}

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
