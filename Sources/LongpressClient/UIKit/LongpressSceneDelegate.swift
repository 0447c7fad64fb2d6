#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
    public import UIKit

    /// Takes the taps of a scene that has no delegate of its own, or is what that one inherits from. Who overrides a method calls `super`.
    @available(iOSApplicationExtension, unavailable)
    open class LongpressSceneDelegate: UIResponder, UIWindowSceneDelegate {
        open var window: UIWindow?

        /// Tests have one for each.
        var longpress: Longpress { .shared }

        open func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions) {
            longpress.handle(connectionOptions, session: session)
        }

        open func windowScene(
            _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
            completionHandler: @escaping (Bool) -> Void
        ) {
            longpress.take(shortcutItem, by: .performing)
            completionHandler(true)
        }
    }
#endif
