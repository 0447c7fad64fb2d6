import QuickActions

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
