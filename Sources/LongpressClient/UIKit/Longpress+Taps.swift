#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
    public import UIKit

    /// A tap that is new, at its place in the order.
    struct TakenTap {
        let place: Int
        let tap: QuickActionTap
        /// The item as the system hands it over: what a tap on a static one is about.
        let item: QuickActionItem
    }

    @available(iOSApplicationExtension, unavailable)
    extension Longpress {
        /// Takes the tap that a scene connects with, if there is one. For an app's own delegates: in
        /// `application(_:configurationForConnecting:options:)` **and** in `scene(_:willConnectTo:options:)`, in any number of them.
        public func handle(_ connectionOptions: UIScene.ConnectionOptions, session: UISceneSession) {
            guard let item = connectionOptions.shortcutItem else { return }
            take(item, by: .connecting(session: session.persistentIdentifier))
        }

        /// Takes a tap that comes while the app runs: in `windowScene(_:performActionFor:)`, or in an app without scenes
        /// `application(_:performActionFor:)`.
        /// - Returns: true, for the system.
        @discardableResult
        public func handle(_ shortcutItem: UIApplicationShortcutItem) async -> Bool {
            take(shortcutItem, by: .performing)
            return true
        }

        func take(_ item: UIApplicationShortcutItem, by handover: TapInbox.Handover) {
            let tap = QuickActionTap(item)
            guard inbox.isNew(tap, item, by: handover) else { return }
            let tapped = QuickActionItem(
                type: item.type, title: item.localizedTitle, subtitle: item.localizedSubtitle,
                targetContentIdentifier: item.targetContentIdentifier as? String, userInfo: tap.userInfo)
            let taken = TakenTap(place: queue.append(), tap: tap, item: tapped)
            if let client { resolve(taken, with: client) } else { unresolved.append(taken) }
        }

        func resolve(_ taken: TakenTap, with client: LongpressClient) {
            Task {
                let action = await client.resolve(taken.tap)
                Log.resolved(action)
                queue.resolve(taken.place, action.about(taken.item))
                if action.needsRefresh { await synchronize() }
            }
        }
    }

    extension ResolvedAction {
        /// A static item is in no menu: what to act on is the tapped one itself.
        fileprivate func about(_ tapped: QuickActionItem) -> Self {
            guard outcome == .static else { return self }
            return Self(
                outcome: outcome, item: tapped, url: url, needsRefresh: needsRefresh, tapped: self.tapped, source: source)
        }
    }
#endif
