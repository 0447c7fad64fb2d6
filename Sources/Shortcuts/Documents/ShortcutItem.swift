import QuickActions

/// One dynamic quick action as its editors wrote it, checked.
package struct ShortcutItem: Hashable, Sendable {
    package let id: ItemID
    package let type: Text
    package let titles: LocalizedText
    package let subtitles: LocalizedText
    package let icon: ShortcutIcon?
    package let url: ActionURL?
    package let userInfo: PropertyList.Dictionary
    package let targetContentIdentifier: Text?
    /// A disabled item stays known: its taps resolve, it is not served.
    package let isEnabled: Bool
    /// Ids of earlier items that this one took over.
    package let replaces: [ItemID]
}
