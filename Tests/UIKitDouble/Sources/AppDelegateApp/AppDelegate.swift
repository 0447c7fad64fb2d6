import LongpressKit
import UIKit

/// A UIKit app without scenes.
@main
final class AppDelegate: LongpressAppDelegate {
    override func application(
        _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        Longpress.shared.configure(server: AppDouble.server, bundled: "longpress.json")
        Task {
            for await action in Longpress.shared.actions { AppDouble.tell("state", action.url?.absoluteString ?? action.item?.type ?? "") }
        }
        return true
    }
}
