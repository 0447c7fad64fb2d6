#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
    public import Foundation
    internal import UIKit

    /// The quick actions of the app that runs: registers the menu, keeps it fresh, and delivers every tap once.
    ///
    /// The menu that is known is registered when it is configured; the service is asked then, whenever a scene comes to the foreground, and
    /// when a tap says that the menu is another by now.
    @MainActor
    @available(iOSApplicationExtension, unavailable)
    public final class Longpress {
        public static let shared = Longpress()

        /// What was configured; nil until then. Taps that come earlier wait for it.
        public private(set) var client: LongpressClient?

        /// The taps, resolved, in their order; each is given to one listener.
        public nonisolated var actions: QuickActionTaps { QuickActionTaps(queue) }

        let queue: ActionQueue
        var inbox = TapInbox()
        /// Those that came before there was a client.
        var unresolved: [TakenTap] = []
        /// Who has logged in or out before there was a client.
        private var audience: String??
        /// Counts the questions for what should be registered: the last one knows most.
        private var questions = 0
        private let application: @MainActor () -> UIApplication
        private var observers: SceneObservers?

        /// Tests have more than the shared one.
        init(queue: ActionQueue = ActionQueue(), application: @escaping @MainActor () -> UIApplication = { .shared }) {
            self.queue = queue
            self.application = application
            observers = SceneObservers(
                active: { [weak self] session in self?.inbox.activated(session: session) },
                disconnected: { [weak self] session in self?.inbox.disconnected(session: session) },
                foreground: { [weak self] in self?.synchronizeSoon() })
        }

        /// Says once where the service is; what is said later is ignored. `bundled` is what `longpress bundle` printed for this version.
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

        /// Asks the service for the menu and registers it where it is another. No menu for this version, and an error, leave what is
        /// registered.
        @discardableResult
        public func refresh() async throws(LongpressError) -> Refresh {
            guard let client else { throw .foreign("Longpress is not configured yet") }
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

        /// The person has logged in, as `audience`, or out. Another audience's menu is taken away at once, and the new one's asked for.
        /// - Parameter audience: nil for `default`. It is kept across launches.
        public func update(audience: String?) async {
            guard let client else {
                self.audience = .some(audience)
                return
            }
            await client.update(audience: audience)
            await synchronize()
        }

        /// Registers what is known, then what the service says.
        func synchronize() async {
            await registerMenu()
            _ = try? await refresh()
        }

        private func synchronizeSoon() {
            Task { await synchronize() }
        }

        /// Where nothing is known, what is registered stays, but for another audience's items.
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

        /// - Parameter items: none clear the menu.
        private func register(_ items: [QuickActionItem]) {
            let (wanted, registered) = (items.map { UIApplicationShortcutItem.longpress($0) }, registered)
            guard wanted.count != registered.count || !zip(wanted, registered).allSatisfy({ $0.isSame(as: $1) }) else { return }
            application().shortcutItems = wanted
            Log.registered(wanted.count)
        }
    }
#endif
