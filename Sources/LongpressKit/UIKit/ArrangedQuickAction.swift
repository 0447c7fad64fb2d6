#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
    internal import QuickActions
    public import UIKit

    /// An item of the menu that an app arranges: an item of the service, or one of the app's own.
    @MainActor
    public struct ArrangedQuickAction {
        /// The item's values. For an own item, `id` is nil and `userInfo` has only the app's values.
        public let item: QuickActionItem
        /// Takes the place of the item's icon, if there is one.
        let icon: UIApplicationShortcutIcon?
        /// What `userInfo` has beside the item's values.
        private let mark: [String: PropertyListValue]

        init(_ item: QuickActionItem, icon: UIApplicationShortcutIcon? = nil) {
            self.init(item, icon, [:])
        }

        /// A registered item.
        init(registered item: UIApplicationShortcutItem) {
            self.init(QuickActionItem(item), icon: item.icon)
        }

        private init(_ item: QuickActionItem, _ icon: UIApplicationShortcutIcon?, _ mark: [String: PropertyListValue]) {
            self.item = item
            self.icon = icon
            self.mark = mark
        }

        /// Creates an item that the app defines itself, such as a recent document. A tap on it has the outcome
        /// ``ResolvedAction/Outcome/own``, also after an update of the app, and needs no network.
        /// - Parameters:
        ///   - id: identifies the item to the app.
        ///   - type: `UIApplicationShortcutItem.type`. Several items may have the same one.
        ///   - title: `localizedTitle`.
        ///   - subtitle: `localizedSubtitle`.
        ///   - url: handed back with the tap, if it is a valid URL. Percent-encode names.
        ///   - icon: any icon of UIKit, also one of a contact.
        ///   - targetContentIdentifier: selects the scene that gets the tap.
        ///   - userInfo: handed back with the tap. Keys that begin with `longpress.` are left out and reported
        ///     (``Longpress/diagnostics``).
        public static func own(
            id: String, type: String, title: String, subtitle: String? = nil, url: String? = nil, icon: UIApplicationShortcutIcon? = nil,
            targetContentIdentifier: String? = nil, userInfo: [String: PropertyListValue] = [:]
        ) -> Self {
            var mark = [VersionTag.Name.own.string: PropertyListValue.string(id)]
            mark[VersionTag.Name.url.string] = url.map { .string($0) }
            let item = QuickActionItem(
                type: type, title: title, subtitle: subtitle, targetContentIdentifier: targetContentIdentifier, userInfo: userInfo)
            return Self(item, icon, mark)
        }

        /// The id of an own item whose `userInfo` has keys that only the library may use.
        var misusingID: String? {
            guard case .string(let id)? = mark[VersionTag.Name.own.string] else { return nil }
            return item.userInfo.count == item.userInfo.withoutTag.count ? nil : id
        }

        var shortcutItem: UIApplicationShortcutItem {
            let userInfo = mark.isEmpty ? item.userInfo : item.userInfo.withoutTag.merging(mark) { $1 }
            return UIApplicationShortcutItem.longpress(item, userInfo: userInfo, icon: icon ?? item.icon.flatMap { .longpress($0) })
        }
    }
#endif
