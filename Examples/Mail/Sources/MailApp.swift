import LongpressKit
import SwiftUI

@main
struct MailApp: App {
    @UIApplicationDelegateAdaptor(LongpressAppDelegate.self) private var delegate
    @State private var opened: String?
    private let mailbox = Mailbox()

    init() {
        let mailbox = mailbox
        Longpress.shared.arrange { remote in
            remote + mailbox.drafts.prefix(1).map { .own(id: $0, type: "draft", title: $0) }
        }
        Longpress.shared.provide("recent-contact") { limit in
            mailbox.contacts.prefix(limit).map { ["name": $0.name, "address": $0.address] }
        }
    }

    var body: some Scene {
        WindowGroup {
            ContentView(opened: opened)
                .longpress(Self.configuration, bundled: "longpress.json")
                .onQuickAction { action in open(action) }
                .onOpenURL { url in
                    if !Longpress.shared.handlePreview(url) { opened = url.absoluteString }
                }
        }
    }

    /// Shows the URL of the item or its fallback; for a draft, its name; for a static item, its type.
    private func open(_ action: ResolvedAction) {
        opened = action.outcome == .own ? action.id : action.url?.absoluteString ?? action.type
    }
}

extension MailApp {
    private static var configuration: LongpressConfiguration {
        var configuration = LongpressConfiguration.current(server: server)
        configuration.countsTaps = true
        #if DEBUG || BETA
            configuration.allowsPreviews = true
        #endif
        return configuration
    }

    /// From `LongpressServer` in the Info.plist, so that a test build can use another server.
    private static var server: URL {
        let text = Bundle.main.object(forInfoDictionaryKey: "LongpressServer") as? String
        return text.flatMap { URL(string: $0) } ?? URL(fileURLWithPath: "/")
    }
}
