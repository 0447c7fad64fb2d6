import QuickActions

extension ShortcutSet {
    /// The one language an answer is in: looked up over the title languages of the enabled items.
    package func language(for preference: LanguagePreference, default language: LanguageTag) -> LanguageTag {
        preference.lookUp(in: titleLanguages) ?? language
    }

    /// The languages in which some enabled item has a title, each once.
    package var titleLanguages: [LanguageTag] {
        Set(enabledItems.flatMap { $0.titles.rows.map(\.language) }).sorted()
    }
}

extension ShortcutItem {
    /// The row an item is served in: title and subtitle of one language, never mixed.
    package struct Row: Sendable {
        package let language: LanguageTag
        package let title: Text
        package let subtitle: Text?
    }

    /// Where the language lacks the title, the default language's row; where it lacks the subtitle only, there is none.
    package func row(in language: LanguageTag, default fallback: LanguageTag) -> Row {
        if let title = titles[language] {
            return Row(language: language, title: title, subtitle: subtitles[language])
        }
        return Row(language: fallback, title: titles[fallback] ?? "", subtitle: subtitles[fallback])
    }
}
