#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
    public import UIKit

    /// Where quick actions are registered: `UIApplication`, or an object of a test.
    @MainActor
    public protocol QuickActionRegistrar: AnyObject {
        /// The registered dynamic items, in display order.
        var shortcutItems: [UIApplicationShortcutItem]? { get set }
    }

    extension UIApplication: QuickActionRegistrar {}
#endif
