import QuickActions

/// The `InfoPlist.strings` of a release in one language. Its keys are the titles and subtitles of the static items.
///
/// The translations come from the set in effect for the release and the default audience, including disabled items: from the item with the
/// same type that has the static title in some language, else from the only item with that type.
package struct StaticStrings {
    /// Without duplicates, in the order of the static items.
    private var keys: [Text] = []
    private var known: Set<Text> = []
    private var translations: [Text: Text] = [:]

    /// - Parameter preference: an exact language; anything else means the app's default language.
    package init(of release: Release, in preference: LanguagePreference, from snapshot: AppSnapshot) {
        let language =
            switch preference {
            case .exactly(let tag?): tag
            case .exactly(nil), .ranges: snapshot.app.defaultLanguage
            }
        let items = snapshot.timeline(for: .default).effectiveSet(for: release.id.version)?.set.items ?? []
        for item in release.staticItems {
            let row = items.translating(item)?.row(in: language)
            add(item.title, row?.title)
            if let subtitle = item.subtitle { add(subtitle, row?.subtitle) }
        }
    }

    /// The strings file, with a line per key.
    package var text: String {
        keys.map { key in
            let line = "\"\(key.escapedForStrings)\" = \"\((translations[key] ?? key).escapedForStrings)\";\n"
            return translations[key] == nil ? "/* No translation is known. */\n" + line : line
        }.joined()
    }

    /// Adds a key once. If several items translate it, the first translation is used.
    private mutating func add(_ key: Text, _ translation: Text?) {
        if known.insert(key).inserted { keys.append(key) }
        if let translation, translations[key] == nil { translations[key] = translation }
    }
}

extension [ShortcutItem] {
    fileprivate func translating(_ item: StaticItem) -> ShortcutItem? {
        // The title of a personal item is a template.
        let candidates = filter { $0.type == item.type && $0.personal == nil }
        let named = candidates.first { $0.titles.rows.contains { $0.text == item.title } }
        return named ?? (candidates.count == 1 ? candidates.first : nil)
    }
}

extension ShortcutItem {
    /// The row in the language by RFC 4647 lookup. Nil if the item lacks the language, because a text in another language is not a
    /// translation.
    fileprivate func row(in language: LanguageTag) -> Row? {
        let languages = Set(titles.rows.map(\.language))
        return LanguagePreference.exactly(language).lookUp(in: languages).map { row(in: $0, default: $0) }
    }
}

extension Text {
    fileprivate var escapedForStrings: String {
        var escaped = ""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": escaped += "\\\""
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\r": escaped += "\\r"
            case "\t": escaped += "\\t"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
