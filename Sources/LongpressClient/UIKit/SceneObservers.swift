#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
    internal import UIKit

    /// Hears what scenes do, whatever delegates the app has, for as long as it is held.
    @MainActor
    final class SceneObservers {
        /// Set once, in `init`; `deinit` may be on any thread, and so may their removal.
        private nonisolated(unsafe) let tokens: [any NSObjectProtocol]

        /// - Parameters:
        ///   - active: gets the session's persistent identifier, as `disconnected` does.
        init(
            active: @escaping @MainActor (String) -> Void, disconnected: @escaping @MainActor (String) -> Void,
            foreground: @escaping @MainActor () -> Void
        ) {
            tokens = [
                Self.on(UIScene.didActivateNotification) { scene in active(scene.session.persistentIdentifier) },
                Self.on(UIScene.didDisconnectNotification) { scene in disconnected(scene.session.persistentIdentifier) },
                Self.on(UIScene.willEnterForegroundNotification) { _ in foreground() },
            ]
        }

        deinit {
            for token in tokens { NotificationCenter.default.removeObserver(token) }
        }

        /// UIKit posts these on the main thread, and without a queue the block is called there and at once.
        private static func on(_ name: Notification.Name, _ act: @escaping @MainActor (UIScene) -> Void) -> any NSObjectProtocol {
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { notification in
                nonisolated(unsafe) let object = notification.object
                MainActor.assumeIsolated {
                    if let scene = object as? UIScene { act(scene) }
                }
            }
        }
    }
#endif
