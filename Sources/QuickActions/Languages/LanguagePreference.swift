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
