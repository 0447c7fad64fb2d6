import QuickActions

/// A menu as documents for Android's `ShortcutInfo.Builder`.
///
/// The extras of a shortcut's intent are stored as a `PersistableBundle`; strings, integers (`long`), reals (`double`) and booleans are
/// mapped to it.
package struct AndroidShortcuts {
    /// The lengths in characters that `setShortLabel` and `setLongLabel` recommend.
    static let maxShortLabel = 10
    static let maxLongLabel = 25

    private var shortcuts: [JSON] = []
    private var omitted: [Omission] = []

    package init(of answer: ShortcutsAnswer) {
        omitted = Omission.all(of: answer)
        for (rank, item) in answer.effective.set.plainItems.enumerated() {
            add(item, answer.row(of: item), tag: answer.tag(of: item).members, rank: rank)
        }
    }

    package var json: JSON {
        ["shortcuts": .array(shortcuts), "omitted": .array(omitted.map(\.json))]
    }

    private mutating func add(_ item: ShortcutItem, _ row: ShortcutItem.Row, tag: [JSON.Member], rank: Int) {
        let shortLabel = label("shortLabel", row.title, atMost: Self.maxShortLabel, of: item)
        let longLabel = longLabel(row, of: item)
        let omissions = [.icon(of: item)] + Self.omittedValues(of: item) + [.targetContentIdentifier(of: item)]
        omitted += omissions.compactMap { $0 }
        // No activity handles VIEW without data. MAIN opens the app, which identifies the item by the extras.
        let action = item.url == nil ? "android.intent.action.MAIN" : "android.intent.action.VIEW"
        shortcuts.append(
            [
                "id": .string(item.id), "shortLabel": .string(shortLabel), "longLabel": .string(longLabel), "rank": .integer(Int64(rank)),
                "intent": ["action": .string(action), "data": .optional(item.url), "extras": .object(Self.extras(of: item) + tag)],
            ])
    }

    /// The title, followed by the subtitle if both fit: Android has no subtitle.
    private mutating func longLabel(_ row: ShortcutItem.Row, of item: ShortcutItem) -> Text {
        guard let subtitle = row.subtitle else {
            return label("longLabel", row.title, atMost: Self.maxLongLabel, of: item)
        }
        let both = Text("\(row.title) – \(subtitle)")
        guard both.string.count > Self.maxLongLabel else { return both }
        let label = label("longLabel", row.title, atMost: Self.maxLongLabel, of: item)
        let reason =
            "A long label has at most \(Self.maxLongLabel) characters, so the subtitle \(quoted(subtitle.string)) does not fit after the "
            + "title."
        omitted.append(Omission(item: item.id, member: "subtitle", reason: reason))
        return label
    }

    private mutating func label(_ member: String, _ title: Text, atMost limit: Int, of item: ShortcutItem) -> Text {
        let label = title.shortened(to: limit)
        if label != title {
            let reason =
                "The title has \(title.string.count) characters, but Android recommends at most \(limit). It is cut to "
                + "\(quoted(label.string))."
            omitted.append(Omission(item: item.id, member: member, reason: reason))
        }
        return label
    }

    private static func extras(of item: ShortcutItem) -> [JSON.Member] {
        item.userInfo.members.filter { $0.value.unsupportedKind == nil }.map { JSON.Member($0.key, $0.value.json) }
    }

    private static func omittedValues(of item: ShortcutItem) -> [Omission?] {
        item.userInfo.members.map { member in
            member.value.unsupportedKind.map { kind in
                Omission(
                    item: item.id, member: DocumentPath.root["userInfo"][member.key].description,
                    reason: "\(kind) cannot be an extra of a shortcut's intent. Use a string, an integer, a real number or a boolean.")
            }
        }
    }
}

extension PropertyList {
    /// The name of a type that extras cannot represent, for messages; nil for supported types.
    fileprivate var unsupportedKind: String? {
        switch self {
        case .string, .integer, .real, .boolean: nil
        case .date: "A date"
        case .data: "Data"
        case .array: "An array"
        case .dictionary: "A dictionary"
        }
    }
}

extension Text {
    /// Shortens the text between grapheme clusters. The ellipsis counts toward the limit.
    fileprivate func shortened(to limit: Int) -> Text {
        guard string.count > limit else { return self }
        var kept = string.prefix(limit - 1)
        while let last = kept.last, last.isWhitespace { kept.removeLast() }
        return Text(kept + "…")
    }
}
