import QuickActions

/// `UIApplicationShortcutIcon.IconType`: 29 of them, raw values 0 to 28; the first seven since iOS 9.0, the rest 9.1.
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

    /// The name that a mistyped one most likely meant.
    static func suggestion(for name: String) -> SystemIconType? {
        nearestName(to: name, among: allCases.map(\.name)).flatMap { SystemIconType(name: $0) }
    }
}
