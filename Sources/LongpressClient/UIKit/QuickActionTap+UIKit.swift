#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
    public import UIKit

    extension QuickActionTap {
        /// What the system hands over. A value of `userInfo` that is none of a property list's is left out.
        @MainActor
        public init(_ item: UIApplicationShortcutItem) {
            self.init(type: item.type, userInfo: (item.userInfo ?? [:]).compactMapValues { PropertyListValue(bridged: $0) })
        }
    }
#endif
