import QuickActions

/// A release's `InfoPlist.strings` in one language: static titles and subtitles are keys into it.
///
/// Translations are taken from the set that is in effect for the release in the default audience, disabled items included:
/// the item of the same type one of whose titles is the static one, else the only item of that type.
package struct StaticStrings {
    /// Each once, in the order of the static items.
    private var keys: [Text] = []
    private var known: Set<Text> = []
    private var translations: [Text: Text] = [:]

    /// - Parameter preference: `.none` and any language mean the app's default one.
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

    /// In the strings-file format, a line a key.
    package var text: String {
        keys.map { key in
            let line = "\"\(key.escapedForStrings)\" = \"\((translations[key] ?? key).escapedForStrings)\";\n"
            return translations[key] == nil ? "/* No translation is known. */\n" + line : line
        }.joined()
    }

    /// A key stands in the file once; the first translation that is known counts.
    private mutating func add(_ key: Text, _ translation: Text?) {
        if known.insert(key).inserted { keys.append(key) }
        if let translation, translations[key] == nil { translations[key] = translation }
    }
}

extension [ShortcutItem] {
    fileprivate func translating(_ item: StaticItem) -> ShortcutItem? {
        let candidates = filter { $0.type == item.type }
        let named = candidates.first { $0.titles.rows.contains { $0.text == item.title } }
        return named ?? (candidates.count == 1 ? candidates.first : nil)
    }
}

extension ShortcutItem {
    /// Nil where the language is none of the item's: another one's row would be no translation.
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
