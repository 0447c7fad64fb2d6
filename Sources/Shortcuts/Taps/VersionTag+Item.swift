import QuickActions

extension VersionTag {
    /// The first 16 hex digits of SHA-256 over the canonical JSON of what a tap does. Titles, subtitles and icons are left
    /// out, so a retranslated item is still the same action.
    package static func actionHash(of item: ShortcutItem) -> String {
        let action = JSON.object(
            [JSON.Member("type", .string(item.type))]
                .adding("url", item.url.map { .string($0.description) })
                .adding("userInfo", item.userInfo.isEmpty ? nil : item.userInfo.json)
                .adding("targetContentIdentifier", item.targetContentIdentifier.map(JSON.string)))
        return sha256Hex(action.canonical.encoded, first: 16)
    }
}
