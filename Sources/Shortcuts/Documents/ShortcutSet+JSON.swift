extension ShortcutSet {
    /// The document that `PUT` takes, in canonical spelling: equal sets have equal bytes.
    package var canonicalJSON: [UInt8] { json.encoded }

    /// Reads a set that was checked when it was stored.
    package init(stored bytes: [UInt8]) throws(Failure) {
        self = try ShortcutSetDocument(stored: try JSONReader.read(bytes)).checked()
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

extension PropertyList {
    /// Dates and data as their markers.
    package var json: JSON {
        switch self {
        case .string(let text): .string(text)
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .boolean(let value): .boolean(value)
        case .date(let seconds): .object([JSON.Member("$date", .string(CalendarTime(secondsSince1970: seconds).text))])
        case .data(let bytes): .object([JSON.Member("$data", .string(base64(bytes)))])
        case .array(let elements): .array(elements.map(\.json))
        case .dictionary(let dictionary): dictionary.json
        }
    }
}

extension PropertyList.Dictionary {
    package var json: JSON {
        .object(members.map { JSON.Member($0.key, $0.value.json) })
    }
}
