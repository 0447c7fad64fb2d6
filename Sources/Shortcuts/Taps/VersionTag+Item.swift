import QuickActions

extension VersionTag {
    /// The first 16 hex digits of SHA-256 over the canonical JSON of what a tap does. Titles, subtitles and icons are left
    /// out, so a retranslated item is still the same action.
    package static func actionHash(of item: ShortcutItem) -> String {
        let action: JSON = [
            "type": .string(item.type), "url": item.url.map { .string($0) }, "userInfo": item.userInfo.isEmpty ? nil : item.userInfo.json,
            "targetContentIdentifier": item.targetContentIdentifier.map { .string($0) },
        ]
        return sha256Hex(action.canonical.encoded, first: 16)
    }
}
