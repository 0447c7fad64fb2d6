#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
    public import UIKit

    /// Takes the taps of an app that has no delegate of its own, or is what that one inherits from. Who overrides a method calls `super`.
    ///
    /// A scene that has no delegate gets `LongpressSceneDelegate`.
    @available(iOSApplicationExtension, unavailable)
    open class LongpressAppDelegate: UIResponder, UIApplicationDelegate {
        /// Tests have one for each.
        var longpress: Longpress { .shared }

        open func application(
            _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
        ) -> Bool { true }

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

        /// In an app without scenes, cold and warm.
        open func application(
            _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
            completionHandler: @escaping (Bool) -> Void
        ) {
            longpress.take(shortcutItem, by: .performing)
            completionHandler(true)
        }
    }
#endif
