import LongpressKit
import SwiftUI

@main
struct MailApp: App {
    @UIApplicationDelegateAdaptor(LongpressAppDelegate.self) private var delegate
    @State private var opened: String?

    var body: some Scene {
        WindowGroup {
            ContentView(opened: opened)
                .longpress(server: Self.server, bundled: "longpress.json")
                .onQuickAction { action in open(action) }
        }
    }

    /// Shows the URL of the item or its fallback; for a static item, the type.
    private func open(_ action: ResolvedAction) {
        opened = action.url?.absoluteString ?? action.item?.type
    }
}

extension MailApp {
    /// From `LongpressServer` in the Info.plist, so that a test build can use another server.
    private static var server: URL {
        let text = Bundle.main.object(forInfoDictionaryKey: "LongpressServer") as? String
        return text.flatMap { URL(string: $0) } ?? URL(fileURLWithPath: "/")
    }
}
