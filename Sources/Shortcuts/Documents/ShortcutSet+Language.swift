import QuickActions

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
