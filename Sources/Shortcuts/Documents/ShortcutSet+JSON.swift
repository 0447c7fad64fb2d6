import QuickActions

extension ShortcutSet {
    /// The document that `PUT` takes, in canonical spelling: equal sets have equal bytes.
    package var canonicalJSON: [UInt8] { json.encoded }

    /// Reads a set that was checked when it was stored.
    package init(stored bytes: [UInt8]) throws(Failure) {
        self = try ShortcutSetDocument(stored: try JSON(document: bytes)).checked()
    }

    package var json: JSON {
        .object(
            [JSON.Member("items", .array(items.map(\.json)))]
                .adding("retired", retired.isEmpty ? nil : .array(retired.map(\.json)))
                .adding("fallbackURL", fallbackURL.map { .string($0.description) }))
    }
}

extension ShortcutItem {
    /// Members that say nothing (an empty `userInfo`, `enabled: true`) are left out.
    var json: JSON {
        .object(
            [
                JSON.Member("id", .string(id.description)), JSON.Member("type", .string(type)),
                JSON.Member("title", titles.json),
            ]
            .adding("subtitle", subtitles.rows.isEmpty ? nil : subtitles.json)
            .adding("icon", icon?.json)
            .adding("url", url.map { .string($0.description) })
            .adding("userInfo", userInfo.isEmpty ? nil : userInfo.json)
            .adding("targetContentIdentifier", targetContentIdentifier.map(JSON.string))
            .adding("enabled", isEnabled ? nil : .boolean(false))
            .adding("replaces", replaces.isEmpty ? nil : .array(replaces.map { .string($0.description) })))
    }
}

extension RetiredItem {
    var json: JSON {
        .object([JSON.Member("id", .string(id.description))].adding("url", url.map { .string($0.description) }))
    }
}

extension LocalizedText {
    var json: JSON {
        .object(rows.map { JSON.Member(Text($0.language.description), .string($0.text)) })
    }
}

extension ShortcutIcon {
    /// As editors write it.
    package var json: JSON {
        .object(
            [].adding("symbol", symbol.map(JSON.string)).adding("file", file.map(JSON.string))
                .adding("type", type.map { .string($0.name) }))
    }
}
