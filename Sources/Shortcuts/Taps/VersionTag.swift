/// What is stamped into every served item's `userInfo`: flat, because some bridges drop nested values.
package enum VersionTag {
    static let prefix = "longpress."
    static let schema: Int64 = 1

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

    /// The members that `item` gets beside its own.
    /// - Parameter version: the client's, with its build where it gave one.
    static func members(
        of item: ShortcutItem, version: Text, revision: Int64, language: LanguageTag, audience: Audience
    ) -> [JSON.Member] {
        [
            JSON.Member("longpress.schema", .integer(schema)),
            JSON.Member("longpress.item", .string(item.id.description)),
            JSON.Member("longpress.version", .string(version)),
            JSON.Member("longpress.revision", .integer(revision)),
            JSON.Member("longpress.language", .string(language.description)),
        ]
        .adding("longpress.audience", audience == .default ? nil : .string(audience.description))
        .adding("longpress.action", .string(actionHash(of: item)))
        .adding("longpress.url", item.url.map { .string($0.description) })
    }
}
