#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
    public import UIKit

    extension QuickActionItem {
        /// An item as the system has it, without its icon.
        @MainActor
        init(_ item: UIApplicationShortcutItem) {
            self.init(
                type: item.type, title: item.localizedTitle, subtitle: item.localizedSubtitle,
                targetContentIdentifier: item.targetContentIdentifier as? String, userInfo: QuickActionTap(item).userInfo)
        }
    }

    extension QuickActionTap {
        /// Creates a tap from the system's item. It leaves out values of `userInfo` that are not valid in a property list.
        @MainActor
        public init(_ item: UIApplicationShortcutItem) {
            self.init(type: item.type, userInfo: (item.userInfo ?? [:]).compactMapValues { PropertyListValue(bridged: $0) })
        }
    }
#endif
