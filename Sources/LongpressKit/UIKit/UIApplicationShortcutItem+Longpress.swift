#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
    internal import QuickActions
    public import UIKit

    extension UIApplicationShortcutItem {
        /// Creates the system's item, for registration.
        public static func longpress(_ item: QuickActionItem) -> UIApplicationShortcutItem { ArrangedQuickAction(item).shortcutItem }

        static func longpress(
            _ item: QuickActionItem, userInfo: [String: PropertyListValue], icon: UIApplicationShortcutIcon?
        ) -> UIApplicationShortcutItem {
            let shortcut = UIMutableApplicationShortcutItem(
                type: item.type, localizedTitle: item.title, localizedSubtitle: item.subtitle, icon: icon,
                userInfo: userInfo.isEmpty ? nil : userInfo.mapValues(\.bridged))
            shortcut.targetContentIdentifier = item.targetContentIdentifier
            return shortcut
        }

        /// Whether the other item has the same type, titles, icon, target and `userInfo`.
        func isSame(as other: UIApplicationShortcutItem) -> Bool {
            type == other.type && localizedTitle == other.localizedTitle && localizedSubtitle == other.localizedSubtitle
                && icon == other.icon && targetContentIdentifier as? String == other.targetContentIdentifier as? String
                && QuickActionTap(self).userInfo == QuickActionTap(other).userInfo
        }

        /// Who registered an item.
        enum Origin: Equatable {
            /// The service's menu, for this audience; nil for `default`.
            case remote(audience: String?)
            /// The app, with an own item.
            case own
            /// Other code.
            case foreign
        }

        /// Whether its texts have values of the person.
        var isPersonal: Bool { userInfo?[VersionTag.Name.values.string] != nil }

        var origin: Origin {
            let userInfo = QuickActionTap(self).userInfo
            if userInfo[VersionTag.Name.own.string] != nil { return .own }
            guard userInfo[VersionTag.Name.schema.string] != nil else { return .foreign }
            if case .string(let audience)? = userInfo[VersionTag.Name.audience.string] { return .remote(audience: audience) }
            return .remote(audience: nil)
        }
    }

    extension UIApplicationShortcutIcon {
        /// Creates the system's icon from the symbol, else the image, else the type. Nil if there is none of them, or if UIKit does not
        /// have the type.
        public static func longpress(_ icon: QuickActionItem.Icon) -> UIApplicationShortcutIcon? {
            if let name = icon.systemImageName { return UIApplicationShortcutIcon(systemImageName: name) }
            if let name = icon.templateImageName { return UIApplicationShortcutIcon(templateImageName: name) }
            return icon.type.flatMap { types[$0] }.map { UIApplicationShortcutIcon(type: $0) }
        }

        private static let types: [String: IconType] = [
            "compose": .compose, "play": .play, "pause": .pause, "add": .add, "location": .location, "search": .search, "share": .share,
            "prohibit": .prohibit, "contact": .contact, "home": .home, "markLocation": .markLocation, "favorite": .favorite,
            "love": .love, "cloud": .cloud, "invitation": .invitation, "confirmation": .confirmation, "mail": .mail, "message": .message,
            "date": .date, "time": .time, "capturePhoto": .capturePhoto, "captureVideo": .captureVideo, "task": .task,
            "taskCompleted": .taskCompleted, "alarm": .alarm, "bookmark": .bookmark, "shuffle": .shuffle, "audio": .audio,
            "update": .update,
        ]
    }
#endif
