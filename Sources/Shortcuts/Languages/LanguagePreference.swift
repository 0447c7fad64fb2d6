/// What a client asked for: one range that is the last word, or weighted ranges.
package enum LanguagePreference: Hashable, Sendable {
    /// `?lang=`: no match is the default language.
    case exactly(LanguageTag?)
    /// `Accept-Language`, best first; those with the weight zero are refused.
    case ranges([LanguageTag], refused: [LanguageTag])

    package static let none = LanguagePreference.ranges([], refused: [])

    /// RFC 4647 lookup over the languages that there are; nil where none fits.
    package func lookUp(in available: some Collection<LanguageTag>) -> LanguageTag? {
        switch self {
        case .exactly(let range):
            range?.lookupChain.lazy.compactMap { available.tag(for: $0) }.first
        case .ranges(let ranges, let refused):
            ranges.lazy.flatMap(\.lookupChain).compactMap { available.tag(for: $0) }.first { !refused.contains($0) }
        }
    }
}

extension Collection<LanguageTag> {
    /// The tag itself, or else another one for the same language: `i-klingon` where `tlh` is wanted.
    fileprivate func tag(for wanted: LanguageTag) -> LanguageTag? {
        if contains(wanted) { return wanted }
        guard wanted.hasSynonym else { return nil }
        let preferred = wanted.preferred
        return filter { $0.preferred == preferred }.min()
    }
}

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
