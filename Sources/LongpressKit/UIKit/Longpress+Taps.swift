#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
    public import UIKit

    /// A tap that is not a duplicate.
    struct TakenTap {
        /// Its number in the queue.
        let place: Int
        let tap: QuickActionTap
        /// The item that the system delivered. A tap on a static or own item is resolved to this item.
        let item: QuickActionItem
        let scene: String?
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
        /// - Parameters:
        ///   - shortcutItem: the tapped item.
        ///   - scene: the scene that the system passes; nil without scenes.
        /// - Returns: true, for the system.
        @discardableResult
        public func handle(_ shortcutItem: UIApplicationShortcutItem, scene: UIScene? = nil) async -> Bool {
            take(shortcutItem, by: .performing, in: scene)
            return true
        }

        /// Delivers an action to the listeners, as if somebody had tapped: for tests and previews.
        public func deliver(_ action: ResolvedAction) {
            queue.resolve(queue.append(scene: action.scene), action)
        }

        /// The resolved taps of a scene in their order, and those of scenes without a listener.
        public func actions(in scene: UIScene) -> QuickActionTaps { QuickActionTaps(queue, in: scene.session.persistentIdentifier) }

        func take(_ item: UIApplicationShortcutItem, by handover: TapInbox.Handover, in scene: UIScene? = nil) {
            let tap = QuickActionTap(item)
            guard inbox.isNew(tap, item, by: handover) else { return }
            let session: String? = if case .connecting(let session) = handover { session } else { scene?.session.persistentIdentifier }
            let taken = TakenTap(place: queue.append(scene: session), tap: tap, item: QuickActionItem(item), scene: session)
            if let client { resolve(taken, with: client) } else { unresolved.append(taken) }
        }

        func resolve(_ taken: TakenTap, with client: LongpressClient) {
            Task {
                let action = await client.resolve(taken.tap)
                Log.resolved(action)
                queue.resolve(taken.place, action.about(taken))
                if action.needsRefresh { await synchronize() }
            }
        }
    }

    extension ResolvedAction {
        /// Static and own items are not part of a menu, so the action gets the tapped item.
        fileprivate func about(_ taken: TakenTap) -> Self {
            let isOfApp = outcome == .static || outcome == .own
            return Self(
                outcome: outcome, type: type, id: id, item: isOfApp ? taken.item : item, url: url, needsRefresh: needsRefresh,
                tapped: tapped, registeredBy: registeredBy, values: values, scene: taken.scene, source: source)
        }
    }
#endif
