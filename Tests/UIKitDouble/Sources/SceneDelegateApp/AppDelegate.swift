import LongpressKit
import UIKit

/// A UIKit app with custom delegates: the Info.plist names the scene delegate.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        Longpress.shared.configure(server: AppDouble.server, bundled: "longpress.json")
        Task {
            for await action in Longpress.shared.actions { AppDouble.tell("state", action.url?.absoluteString ?? action.item?.type ?? "") }
        }
        return true
    }

    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        Longpress.shared.handle(options, session: connectingSceneSession)
        return connectingSceneSession.configuration
    }
}
