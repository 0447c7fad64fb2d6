import QuickActions

extension ShortcutSet {
    /// The ids that items replace or that are retired: their meaning ends here.
    package var succeededIDs: Set<ItemID> {
        Set(items.flatMap(\.replaces)).union(retired.map(\.id))
    }

    /// Every id that the set speaks of.
    var mentionedIDs: Set<ItemID> { Set(items.map(\.id)).union(succeededIDs) }
}
