import QuickActions

/// One dynamic quick action as an editor wrote it, validated.
package struct ShortcutItem: Hashable, Sendable {
    package let id: ItemID
    package let type: Text
    package let titles: LocalizedText
    package let subtitles: LocalizedText
    package internal(set) var icon: ShortcutIcon?
    package let url: ActionURL?
    package let userInfo: PropertyList.Dictionary
    package let targetContentIdentifier: Text?
    /// A disabled item is not served; taps on it still resolve.
    package let isEnabled: Bool
    /// Ids of earlier items whose taps act on this one.
    package let replaces: [ItemID]
    var unknown = UnknownMembers.none
}

extension ShortcutItem {
    /// A hash of what a tap does: the first 16 hex digits of SHA-256 over the canonical JSON of type, url, `userInfo` and
    /// `targetContentIdentifier`. Titles, subtitles and icons are left out, so that a retranslated item keeps its action.
    package var actionHash: String {
        let action: JSON = [
            "type": .string(type), "url": url.map { .string($0) }, "userInfo": userInfo.isEmpty ? nil : userInfo.json,
            "targetContentIdentifier": targetContentIdentifier.map { .string($0) },
        ]
        return sha256Hex(action.canonical.encoded, first: 16)
    }
}
