#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
    public import UIKit

    /// A tap that is not a duplicate.
    struct TakenTap {
        /// Its number in the queue.
        let place: Int
        let tap: QuickActionTap
        /// The item that the system delivered. A tap on a static item is resolved to this item.
        let item: QuickActionItem
    }

    @available(iOSApplicationExtension, unavailable)
    extension Longpress {
        /// Handles the tap that a scene connects with, if there is one.
        ///
        /// An app with its own delegates calls this in both `application(_:configurationForConnecting:options:)` and
        /// `scene(_:willConnectTo:options:)`. A tap that arrives several times is handled once.
        public func handle(_ connectionOptions: UIScene.ConnectionOptions, session: UISceneSession) {
            guard let item = connectionOptions.shortcutItem else { return }
            take(item, by: .connecting(session: session.persistentIdentifier))
        }

        /// Handles a tap while the app runs.
        ///
        /// An app with its own delegates calls this in `windowScene(_:performActionFor:)`, or without scenes in
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
        /// Static items are not part of a menu, so the action gets the tapped item.
        fileprivate func about(_ tapped: QuickActionItem) -> Self {
            guard outcome == .static else { return self }
            return Self(outcome: outcome, type: type, item: tapped, tapped: self.tapped, scene: scene, source: source)
        }
    }
#endif
