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
    /// Nil for an item that is not personal. The texts of a personal item are templates.
    package internal(set) var personal: PersonalRule?
    var unknown = UnknownMembers.none
}

extension ShortcutItem {
    /// A hash of what a tap does: the first 16 hex digits of SHA-256 over the canonical JSON of type, url, `userInfo` and
    /// `targetContentIdentifier`, and of the source of a personal item, whose url and `userInfo` are templates. Titles, subtitles and icons are
    /// left out, so that a retranslated item keeps its action; so are a personal item's limit and sample values.
    package var actionHash: String {
        let action: JSON = [
            "type": .string(type), "url": url.map { .string($0) }, "userInfo": userInfo.isEmpty ? nil : userInfo.json,
            "targetContentIdentifier": targetContentIdentifier.map { .string($0) },
            "personal": personal.map { ["source": .string($0.source)] },
        ]
        return sha256Hex(action.canonical.encoded, first: 16)
    }
}

/// The icon of an item. If it has several members, symbol takes precedence over file, and file over type.
package struct ShortcutIcon: Hashable, Sendable {
    /// The name of an SF Symbol (iOS 13).
    package let symbol: Text?
    /// The name of a template image in the app's assets.
    package let file: Text?
    package let type: SystemIconType?
    /// Includes `type` if this program does not know its value.
    var unknown = UnknownMembers.none
}

/// `UIApplicationShortcutIcon.IconType`, with its raw values: seven types since iOS 9.0, the others since 9.1.
package enum SystemIconType: Int, CaseIterable, Hashable, Sendable {
    case compose, play, pause, add, location, search, share
    case prohibit, contact, home, markLocation, favorite, love, cloud, invitation, confirmation, mail, message, date
    case time, capturePhoto, captureVideo, task, taskCompleted, alarm, bookmark, shuffle, audio, update

    /// `search`
    package var name: String { "\(self)" }

    /// `search` or Info.plist's `UIApplicationShortcutIconTypeSearch`.
    package init?(name: String) {
        let found = Self.allCases.first { $0.name == name || $0.infoPlistName == name }
        guard let found else { return nil }
        self = found
    }

    package var infoPlistName: String {
        "UIApplicationShortcutIconType" + name.prefix(1).uppercased() + name.dropFirst()
    }

    /// The type with the nearest name.
    static func suggestion(for name: String) -> SystemIconType? {
        nearestName(to: name, among: allCases.map(\.name)).flatMap { SystemIconType(name: $0) }
    }
}
