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

        /// Mistakes in how the app uses the library: those so far, then each new one. They are also errors in the log, and stop debug
        /// builds (`assertionFailure`).
        public var diagnostics: AsyncStream<LongpressDiagnostic> { problems.stream() }

        let queue: ActionQueue
        let problems = Diagnostics()
        var inbox = TapInbox()
        /// Taps from before `configure`.
        var unresolved: [TakenTap] = []
        /// The configuration of a view modifier, which may change.
        private var followed: Followed?
        private var followedAudience: String??
        /// The argument of `update(audience:)`, if it was called before `configure`.
        private var audience: String??
        /// Counts the reads of the client's menu. Only the result of the last read is registered.
        private var questions = 0
        /// Counts the preview links that were followed.
        private var previews = 0
        private static let pauseOfPreviews = Duration.seconds(2)
        private var arrangement: Arrangement?
        private let sources = PersonalSources()
        private let registrar: @MainActor () -> any QuickActionRegistrar
        private var observers: SceneObservers?
        /// The instance that registered last.
        private static weak var registering: Longpress?

        /// Orders the items that are registered. See ``arrange(_:)``.
        public typealias Arrangement = @MainActor ([ArrangedQuickAction]) -> [ArrangedQuickAction]

        /// Creates an instance besides ``shared``, for tests, previews, or a second menu source. One instance per process may register items
        /// with the system.
        /// - Parameters:
        ///   - configuration: the service, the app and its version.
        ///   - client: fetches and resolves; nil for a client of the configuration.
        ///   - registrar: where the items are registered.
        public convenience init(
            configuration: LongpressConfiguration, client: LongpressClient? = nil, registrar: any QuickActionRegistrar
        ) {
            self.init { registrar }
            begin(with: client ?? LongpressClient(configuration))
        }

        init(queue: ActionQueue = ActionQueue(), registrar: @escaping @MainActor () -> any QuickActionRegistrar = { UIApplication.shared })
        {
            self.queue = queue
            self.registrar = registrar
            observers = SceneObservers(
                active: { [weak self] session in self?.inbox.activated(session: session) },
                disconnected: { [weak self] session in self?.inbox.disconnected(session: session) },
                foreground: { [weak self] in self?.synchronizeSoon() },
                background: { [weak self] in
                    Task { await self?.client?.reportTaps() }
                })
        }

        /// Configures quick actions with a custom configuration. Only the first call has an effect.
        /// - Parameters:
        ///   - configuration: the service, the app and its version.
        ///   - bundled: the name of a file in the app's resources with the response of `GET …/bundle` (<doc:Offline>), or nil.
        ///   - storage: keeps fetched documents. An app with extensions uses `.appGroup("group.…")`.
        ///   - transport: sends the requests.
        public func configure(
            _ configuration: LongpressConfiguration, bundled: String? = nil, storage: any LongpressStorage = .standard,
            transport: any LongpressTransport = URLSessionTransport()
        ) {
            guard client == nil else { return problems.report(.configuredTwice) }
            let data = bundled.flatMap { self.data(of: $0, in: .main) }
            begin(with: LongpressClient(configuration, bundled: data, storage: storage, transport: transport))
        }

        /// Configures quick actions with a bundled document that is not a file of the app's resources. Only the first call has an effect.
        /// - Parameters:
        ///   - configuration: the service, the app and its version.
        ///   - bundled: the response of `GET …/bundle` for this version (<doc:Offline>).
        ///   - storage: keeps fetched documents.
        ///   - transport: sends the requests.
        public func configure(
            _ configuration: LongpressConfiguration, bundled: Data, storage: any LongpressStorage = .standard,
            transport: any LongpressTransport = URLSessionTransport()
        ) {
            guard client == nil else { return problems.report(.configuredTwice) }
            begin(with: LongpressClient(configuration, bundled: bundled, storage: storage, transport: transport))
        }

        /// Configures quick actions with the current value of a view modifier, whenever it changes.
        func follow(_ wanted: Followed) {
            guard wanted != followed else { return }
            guard client == nil || followed != nil else { return problems.report(.configuredTwice) }
            followed = wanted
            begin(with: LongpressClient(wanted.configuration, bundled: wanted.bundled.flatMap { data(of: $0, in: .main) }))
        }

        /// Changes the audience with the current value of a view modifier, whenever it changes.
        func follow(audience: String?) {
            guard followedAudience != .some(audience) else { return }
            followedAudience = .some(audience)
            Task { await update(audience: audience) }
        }

        private func begin(with client: LongpressClient) {
            self.client = client
            for taken in unresolved { resolve(taken, with: client) }
            unresolved = []
            Task {
                if let error = await client.bundleError { problems.report(.unusableBundle(error)) }
                if await client.isPreviewing { await followPreview() }
            }
            if let audience {
                Task { await update(audience: audience) }
            } else {
                synchronizeSoon()
            }
        }

        /// Sets how the items are ordered: the app's own items among those of the service. The closure runs each time that items are
        /// registered. Its result is registered in its order; the system shows four items, static ones first.
        ///
        /// ```swift
        /// Longpress.shared.arrange { remote in
        ///     [.own(id: "open-budget", type: "open", title: "Budget 2027", url: "mail://file/7")] + remote
        /// }
        /// ```
        ///
        /// Items that other code registered stay behind these, in their order.
        /// - Parameter arrangement: gets the items of the known menu. If no menu is known, it gets those that are registered, for example by
        ///   the version before this one.
        public func arrange(_ arrangement: @escaping Arrangement) {
            self.arrangement = arrangement
            rearrange()
        }

        /// Provides the values of personal items, such as the names of recent contacts. The service decides the order and the wording; the
        /// values never leave the device.
        ///
        /// ```swift
        /// Longpress.shared.provide("recent-contact") { limit in
        ///     contacts.recent(limit).map { ["name": $0.givenName, "address": $0.email] }
        /// }
        /// ```
        /// - Parameters:
        ///   - source: the name that the menu uses.
        ///   - provider: gets the greatest number of rows that are used, 1 to 4, and returns values by placeholder. It runs each time that
        ///     items are registered. If it throws or takes longer than 0.5 seconds, its items are left out.
        public func provide(_ source: String, _ provider: @escaping @MainActor (_ limit: Int) async throws -> [[String: String]]) {
            sources.provide(source, provider)
            rearrange()
        }

        /// Registers the personal items of a source again, after its values have changed.
        public func personalDataDidChange(_ source: String) {
            if !sources.has(source) { problems.report(.unknownSource(source)) }
            rearrange()
        }

        /// Shows drafts if the URL is a preview link and ``LongpressConfiguration/allowsPreviews`` is set. While the app is in the foreground,
        /// a changed draft is registered within about two seconds. When the link ends, the live menu comes back. The drafts always come from the
        /// configured service.
        /// - Parameter url: one that the app was opened with. The link of the service is `<scheme>://longpress-preview?id=…&token=…`.
        /// - Returns: whether the URL is a preview link, also if previews are not allowed. The app need not open it then.
        @discardableResult
        public func handlePreview(_ url: URL) -> Bool {
            guard LongpressClient.isPreview(url) else { return false }
            Task {
                guard let client, await client.begin(url) else { return }
                await followPreview()
            }
            return true
        }

        /// Shows the live menu again.
        public func endPreview() {
            Task {
                await client?.endPreview()
                await synchronize()
            }
        }

        /// Only one at a time.
        private func followPreview() async {
            previews += 1
            let number = previews
            while let client, number == previews, await client.isPreviewing {
                await synchronize()
                try? await Task.sleep(for: Self.pauseOfPreviews)
            }
            if number == previews { await synchronize() }
        }

        /// Runs the closure of ``arrange(_:)`` again, after the app's own items have changed.
        public func rearrange() {
            Task { await registerMenu() }
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
            // Another person may hold the phone now.
            await registerMenu(hasPersonalItems: false)
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

        private func registerMenu(hasPersonalItems: Bool = true) async {
            guard let client else { return }
            questions += 1
            let question = questions
            let (menu, audience) = await client.registrable
            let wanted = hasPersonalItems ? menu?.sources ?? [:] : [:]
            for source in wanted.keys.sorted() where !sources.has(source) { problems.report(.unknownSource(source)) }
            let values = wanted.isEmpty ? [:] : await sources.values(of: wanted)
            guard question == questions else { return }
            register(menu?.items(with: values).map { ArrangedQuickAction($0) }, audience, hasPersonalItems: hasPersonalItems)
        }

        /// Sets the list only if it differs from the registered one.
        /// - Parameter remote: nil if no menu is known. Registered items then stay, except those of another audience.
        private func register(_ remote: [ArrangedQuickAction]?, _ audience: String?, hasPersonalItems: Bool) {
            let registrar = registrar()
            if let other = Self.registering, other !== self, other.registrar() === registrar { return problems.report(.secondRegistration) }
            Self.registering = self
            let registered = registrar.shortcutItems ?? []
            let remote =
                remote
                ?? registered.filter { item in
                    guard case .remote(let theirs) = item.origin, hasPersonalItems || !item.isPersonal else { return false }
                    return theirs == nil || theirs == audience || audience == nil
                }.map { ArrangedQuickAction(registered: $0) }
            let arranged = arrangement?(remote) ?? remote
            for id in arranged.compactMap(\.misusingID) { problems.report(.reservedKeys(id: id)) }
            let wanted = arranged.map(\.shortcutItem) + registered.filter { $0.origin == .foreign }
            guard wanted.count != registered.count || !zip(wanted, registered).allSatisfy({ $0.isSame(as: $1) }) else { return }
            registrar.shortcutItems = wanted
            Log.registered(wanted.count)
        }
    }

    @available(iOSApplicationExtension, unavailable)
    extension Longpress {
        /// What a view modifier configures.
        struct Followed: Equatable {
            let configuration: LongpressConfiguration
            /// The name of a file in the app's resources.
            let bundled: String?
        }

        /// The contents of a file in the app's resources. Nil, and a diagnostic, if there is no such file.
        func data(of name: String, in bundle: Bundle) -> Data? {
            let file = bundle.url(forResource: name, withExtension: nil)
            let data = file.flatMap { try? Data(contentsOf: $0) }
            if data == nil { problems.report(.missingBundle(name)) }
            return data
        }
    }
#endif
