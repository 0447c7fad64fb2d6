#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
    public import UIKit

    extension QuickActionTap {
        /// Creates a tap from the system's item. A value of `userInfo` that is not a property list value is left out.
        @MainActor
        public init(_ item: UIApplicationShortcutItem) {
            self.init(type: item.type, userInfo: (item.userInfo ?? [:]).compactMapValues { PropertyListValue(bridged: $0) })
        }
    }
#endif
