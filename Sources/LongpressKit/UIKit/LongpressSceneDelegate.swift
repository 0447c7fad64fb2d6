#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
    public import UIKit

    /// A scene delegate that handles quick actions. Use it directly or inherit from it. An override must call `super`.
    @available(iOSApplicationExtension, unavailable)
    open class LongpressSceneDelegate: UIResponder, UIWindowSceneDelegate {
        /// The scene's window.
        open var window: UIWindow?

        /// Tests use their own instance.
        var longpress: Longpress { .shared }

        /// Handles a cold tap.
        open func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions) {
            longpress.handle(connectionOptions, session: session)
        }

        /// Handles a warm tap.
        open func windowScene(
            _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
            completionHandler: @escaping (Bool) -> Void
        ) {
            longpress.take(shortcutItem, by: .performing, in: windowScene)
            completionHandler(true)
        }
    }
#endif
