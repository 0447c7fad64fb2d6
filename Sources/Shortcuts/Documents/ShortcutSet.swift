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

extension ShortcutSet {
    /// The document as `PUT` accepts it, in a canonical form: equal sets have equal bytes.
    package var canonicalJSON: [UInt8] { json.encoded }

    /// Whether both have the same canonical document. Unequal sets need no encoding. For equal sets the bytes are compared, because `0.0`
    /// and `-0.0` are equal numbers.
    package func hasSameDocument(as other: ShortcutSet) -> Bool { self == other && canonicalJSON == other.canonicalJSON }

    /// Reads a stored set. It was validated before it was stored, so limits are not checked again.
    package init(stored bytes: [UInt8]) throws(Failure) {
        self = try Failure.onStoredDocument { () throws(Failure) in
            try ShortcutSetDocument(stored: try JSON(document: bytes)).checked()
        }
    }

    package var json: JSON {
        let known: JSON = [
            "items": .array(items.map(\.json)), "retired": retired.isEmpty ? nil : .array(retired.map(\.json)),
            "fallbackURL": fallbackURL.map { .string($0) },
        ]
        return known.adding(unknown)
    }
}

extension ShortcutItem {
    /// Members with their default (an empty `userInfo`, `enabled: true`) are left out.
    var json: JSON {
        let known: JSON = [
            "id": .string(id), "type": .string(type), "title": titles.json, "subtitle": subtitles.rows.isEmpty ? nil : subtitles.json,
            "icon": icon?.json, "url": url.map { .string($0) }, "userInfo": userInfo.isEmpty ? nil : userInfo.json,
            "targetContentIdentifier": targetContentIdentifier.map { .string($0) }, "enabled": isEnabled ? nil : .boolean(false),
            "replaces": replaces.isEmpty ? nil : .strings(replaces), "personal": personal?.json,
        ]
        return known.adding(unknown)
    }
}

extension RetiredItem {
    var json: JSON {
        (["id": .string(id), "url": url.map { .string($0) }] as JSON).adding(unknown)
    }
}

extension LocalizedText {
    var json: JSON {
        .object(rows.map { JSON.Member(Text($0.language.description), .string($0.text)) })
    }
}

extension ShortcutIcon {
    /// With the member names of editors' documents, which differ from the names that clients are served.
    package var json: JSON {
        let known: JSON = [
            "symbol": symbol.map { .string($0) }, "file": file.map { .string($0) }, "type": type.map { .string($0.name) },
        ]
        return known.adding(unknown)
    }
}

extension ShortcutSet {
    /// The language of an answer: RFC 4647 lookup over the title languages of the enabled items.
    package func language(for preference: LanguagePreference, default language: LanguageTag) -> LanguageTag {
        preference.lookUp(in: titleLanguages) ?? language
    }

    /// The languages in which at least one enabled item has a title, ascending.
    package var titleLanguages: [LanguageTag] {
        Set(enabledItems.flatMap { $0.titles.rows.map(\.language) }).sorted()
    }
}

extension ShortcutItem {
    /// The title and subtitle of an item in one language; languages are never mixed.
    package struct Row: Sendable {
        package let language: LanguageTag
        package let title: Text
        package let subtitle: Text?
    }

    /// The row in the language. An item without a title in it gives the default language's row. A title without a subtitle gives a row
    /// without a subtitle.
    package func row(in language: LanguageTag, default fallback: LanguageTag) -> Row {
        if let title = titles[language] {
            return Row(language: language, title: title, subtitle: subtitles[language])
        }
        return Row(language: fallback, title: titles[fallback] ?? "", subtitle: subtitles[fallback])
    }
}
