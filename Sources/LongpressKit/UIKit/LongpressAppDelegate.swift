#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
    public import UIKit

    /// An app delegate that handles quick actions. Use it directly or inherit from it. An override must call `super`.
    ///
    /// If the Info.plist names no delegate for a window scene, the scene gets ``LongpressSceneDelegate``.
    @available(iOSApplicationExtension, unavailable)
    open class LongpressAppDelegate: UIResponder, UIApplicationDelegate {
        /// Tests use their own instance.
        var longpress: Longpress { .shared }

        /// Does nothing and returns true.
        open func application(
            _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
        ) -> Bool { true }

        /// Handles a cold tap, and gives the scene a delegate if it has none.
        open func application(
            _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
            options: UIScene.ConnectionOptions
        ) -> UISceneConfiguration {
            longpress.handle(options, session: connectingSceneSession)
            let (declared, role) = (connectingSceneSession.configuration, connectingSceneSession.role)
            guard role == .windowApplication, declared.delegateClass == nil else { return declared }
            let configuration = UISceneConfiguration(name: declared.name, sessionRole: role)
            configuration.delegateClass = LongpressSceneDelegate.self
            return configuration
        }

        /// Handles a tap in an app without scenes, cold or warm.
        open func application(
            _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
            completionHandler: @escaping (Bool) -> Void
        ) {
            longpress.take(shortcutItem, by: .performing)
            completionHandler(true)
        }
    }
#endif
