#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
    public import Foundation
    internal import UIKit

    /// The quick actions of the running app: registers the menu, refreshes it, and delivers every tap once.
    ///
    /// Once configured, it registers the known menu and refreshes it. It refreshes again whenever a scene enters the foreground, and after
    /// a tap that shows that the registered menu is out of date.
    @MainActor
    @available(iOSApplicationExtension, unavailable)
    public final class Longpress {
        /// The app's instance. Configure it once, at launch.
        public static let shared = Longpress()

        /// The client; nil before `configure`. Taps before `configure` wait for it.
        public private(set) var client: LongpressClient?

        /// The resolved taps in their order. The listener that started first gets each tap.
        public nonisolated var actions: QuickActionTaps { QuickActionTaps(queue) }

        let queue: ActionQueue
        var inbox = TapInbox()
        /// Taps from before `configure`.
        var unresolved: [TakenTap] = []
        /// The argument of `update(audience:)`, if it was called before `configure`.
        private var audience: String??
        /// Counts the reads of the client's menu. Only the result of the last read is registered.
        private var questions = 0
        private let application: @MainActor () -> UIApplication
        private var observers: SceneObservers?

        /// Tests create their own instances.
        init(queue: ActionQueue = ActionQueue(), application: @escaping @MainActor () -> UIApplication = { .shared }) {
            self.queue = queue
            self.application = application
            observers = SceneObservers(
                active: { [weak self] session in self?.inbox.activated(session: session) },
                disconnected: { [weak self] session in self?.inbox.disconnected(session: session) },
                foreground: { [weak self] in self?.synchronizeSoon() })
        }

        /// Configures quick actions with a custom configuration. Only the first call has an effect.
        /// - Parameters:
        ///   - configuration: the service, the app and its version.
        ///   - bundled: the response of `GET …/bundle` for this version (<doc:Offline>), for a first launch without a network.
        ///   - storage: keeps fetched documents. An app with extensions uses `.appGroup("group.…")`.
        ///   - transport: sends the requests.
        public func configure(
            _ configuration: LongpressConfiguration, bundled: Data? = nil, storage: any LongpressStorage = .caches,
            transport: any LongpressTransport = URLSessionTransport()
        ) {
            guard client == nil else { return }
            let client = LongpressClient(configuration, bundled: bundled, storage: storage, transport: transport)
            self.client = client
            for taken in unresolved { resolve(taken, with: client) }
            unresolved = []
            if let audience {
                Task { await update(audience: audience) }
            } else {
                synchronizeSoon()
            }
        }

        /// Fetches the menu and registers it if it has changed. If there is no menu for this version, or if an error occurs, the registered
        /// items stay.
        /// - Throws: why the menu could not be fetched; ``LongpressError/notConfigured`` before `configure`.
        @discardableResult
        public func refresh() async throws(LongpressError) -> MenuUpdate {
            guard let client else { throw .notConfigured }
            do throws(LongpressError) {
                let refresh = try await client.refresh()
                Log.refreshed(refresh)
                if refresh != .keep { await registerMenu() }
                return refresh
            } catch {
                Log.failed(error)
                throw error
            }
        }

        /// Changes the audience, for example when the person logs in or out. It removes the items of another audience at once, and fetches
        /// the new menu.
        /// - Parameter audience: nil for `default`. The client stores it.
        public func update(audience: String?) async {
            guard let client else {
                self.audience = .some(audience)
                return
            }
            await client.update(audience: audience)
            await synchronize()
        }

        /// Registers the known menu, then fetches it and registers it again if it has changed.
        func synchronize() async {
            await registerMenu()
            _ = try? await refresh()
        }

        private func synchronizeSoon() {
            Task { await synchronize() }
        }

        /// If no menu is known, registered items stay, except those of another audience.
        private func registerMenu() async {
            guard let client else { return }
            questions += 1
            let question = questions
            let (menu, audience) = await client.registrable
            guard question == questions else { return }
            if let menu {
                register(menu.items)
            } else if let audience, registered.contains(where: { $0.isOfAnotherAudience(than: audience) }) {
                register([])
            }
        }

        private var registered: [UIApplicationShortcutItem] { application().shortcutItems ?? [] }

        /// Sets the list only if it differs from the registered one.
        private func register(_ items: [QuickActionItem]) {
            let (wanted, registered) = (items.map { UIApplicationShortcutItem.longpress($0) }, registered)
            guard wanted.count != registered.count || !zip(wanted, registered).allSatisfy({ $0.isSame(as: $1) }) else { return }
            application().shortcutItems = wanted
            Log.registered(wanted.count)
        }
    }
#endif
