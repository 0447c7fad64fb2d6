import QuickActions

/// An edit of a draft.
package enum DraftEdit: Sendable {
    case replacement(ShortcutSet)
    /// A JSON merge patch (RFC 7396) of the set's document.
    case patch(JSON)
    /// A JSON merge patch of one item's document.
    case itemPatch(ItemPatch)

    /// The draft's new content, validated as a whole.
    /// - Parameter former: the draft, or the published set if there is no draft; nil if there is neither.
    /// - Returns: nil for a patch without content to patch.
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

    /// The change with the precondition for this edit: if a patch starts the draft, `If-Match` may name the revision of the published set
    /// with which it starts.
    /// - Parameter standing: the published set; nil if there is a draft, or if no set is published.
    package func change(_ change: DraftChange, beginningWith standing: PublishedSet?) -> DraftChange {
        guard isPatch, let standing else { return change }
        return DraftChange(
            version: change.version, audience: change.audience, writeCondition: change.writeCondition.matching(String(standing.revision)),
            base: change.base)
    }
}
