#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
    internal import UIKit

    /// Observes the notifications of scenes until it is released, independently of the app's delegates.
    @MainActor
    final class SceneObservers {
        /// Set once, in `init`. `deinit` may run on any thread, and any thread may remove observers.
        private nonisolated(unsafe) let tokens: [any NSObjectProtocol]

        /// - Parameters:
        ///   - active: gets the session's persistent identifier, and so does `disconnected`.
        init(
            active: @escaping @MainActor (String) -> Void, disconnected: @escaping @MainActor (String) -> Void,
            foreground: @escaping @MainActor () -> Void, background: @escaping @MainActor () -> Void
        ) {
            tokens = [
                Self.on(UIScene.didActivateNotification) { scene in active(scene.session.persistentIdentifier) },
                Self.on(UIScene.didDisconnectNotification) { scene in disconnected(scene.session.persistentIdentifier) },
                Self.on(UIScene.willEnterForegroundNotification) { _ in foreground() },
                Self.on(UIScene.didEnterBackgroundNotification) { _ in background() },
            ]
        }

        deinit {
            for token in tokens { NotificationCenter.default.removeObserver(token) }
        }

        /// UIKit posts these on the main thread. Without a queue the block is called on the same thread, synchronously.
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
