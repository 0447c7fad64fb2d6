import QuickActions

/// What a save makes of a draft.
package enum DraftEdit: Sendable {
    case replacement(ShortcutSet)
    /// A JSON merge patch (RFC 7396) of the set's document.
    case patch(JSON)
    /// A JSON merge patch of one item's document.
    case itemPatch(ItemPatch)

    /// The draft's new content, validated as a whole.
    /// - Parameter former: the draft, else what is published; nil where there is neither.
    /// - Returns: nil for a patch of nothing.
    /// - Throws: `unknownResource` if the set has no such item, `invalidDocument`.
    package func applied(to former: ShortcutSet?, defaultLanguage: LanguageTag) throws(Failure) -> ShortcutSet? {
        switch self {
        case .replacement(let set): return set
        case .patch(let patch):
            guard let former else { return nil }
            return try ShortcutSetDocument(former.withoutUnknownMembers.json.merging(patch), defaultLanguage: defaultLanguage).checked()
                .keepingUnknownMembers(of: former)
        case .itemPatch(let patch):
            return try former.map { set throws(Failure) in
                try patch.applied(to: set, defaultLanguage: defaultLanguage)
            }
        }
    }
}

extension DraftEdit {
    private var isPatch: Bool {
        if case .replacement = self { false } else { true }
    }

    /// The change with the precondition that holds for this edit: where a patch begins the draft, `If-Match` may name the revision of the
    /// published set that it begins with.
    /// - Parameter standing: nil where there is a draft, or nothing is published.
    package func change(_ change: DraftChange, beginningWith standing: PublishedSet?) -> DraftChange {
        guard isPatch, let standing else { return change }
        return DraftChange(
            version: change.version, audience: change.audience, writeCondition: change.writeCondition.matching(String(standing.revision)),
            base: change.base)
    }
}
