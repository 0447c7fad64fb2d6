/// The languages that a client requests.
package enum LanguagePreference: Hashable, Sendable {
    /// `?lang=`: one range; nil is `*`. Without a match the default language is served.
    case exactly(LanguageTag?)
    /// `Accept-Language` (RFC 9110 section 12.5.4): ranges by weight, highest first; `refused` are those with weight zero.
    case ranges([LanguageTag], refused: [LanguageTag])

    package static let none = LanguagePreference.ranges([], refused: [])

    /// RFC 4647 lookup (section 3.4); nil without a match.
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
    /// The tag itself, else a synonym: `i-klingon` for `tlh`.
    fileprivate func tag(for wanted: LanguageTag) -> LanguageTag? {
        if contains(wanted) { return wanted }
        guard wanted.hasSynonym else { return nil }
        let preferred = wanted.preferred
        return filter { $0.preferred == preferred }.min()
    }
}
