import QuickActions

/// The dynamic items of a menu, in their order, and how ids that are no longer items resolve.
package struct ShortcutSet: Hashable, Sendable {
    package let items: [ShortcutItem]
    package let retired: [RetiredItem]
    /// The URL for taps that resolve neither to an item nor to a retired item with a URL.
    package let fallbackURL: ActionURL?
    var unknown = UnknownMembers.none

    package func item(_ id: ItemID) -> ShortcutItem? {
        items.first { $0.id == id }
    }

    package var enabledItems: [ShortcutItem] { items.filter(\.isEnabled) }

    /// The ids that the set replaces or retires. They cannot be items of a later set.
    package var succeededIDs: Set<ItemID> {
        Set(items.flatMap(\.replaces)).union(retired.map(\.id))
    }

    /// Every id in the set: of items, replaced and retired.
    var mentionedIDs: Set<ItemID> { Set(items.map(\.id)).union(succeededIDs) }
}

/// An id without an item, and the URL to open for a tap on it.
package struct RetiredItem: Hashable, Sendable {
    package let id: ItemID
    package let url: ActionURL?
    var unknown = UnknownMembers.none
}

extension ShortcutSet {
    /// Checks that every item has a title in the app's default language, which is served if an item lacks the client's language.
    /// - Throws: `invalidDocument`.
    package func requireTitles(in language: LanguageTag) throws(Failure) {
        let checker = DocumentChecker()
        checkTitles(in: language, checker, at: .root)
        try checker.finish()
    }

    func checkTitles(in language: LanguageTag, _ checker: DocumentChecker, at path: DocumentPath) {
        for (index, item) in items.enumerated() where item.titles[language] == nil {
            let path = path["items"][index]["title"][Text(language.description)]
            checker.note(
                "title-missing", at: path, "\(path) is missing. Every item needs a title in the app's default language.")
        }
    }
}
