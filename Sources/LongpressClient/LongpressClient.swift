public import Foundation
internal import QuickActions

/// Fetches and stores the menu of one version of an app, and resolves taps, with and without a network.
///
/// The client has no user interface and registers nothing with the system; in an app, `Longpress` does. One client per process is enough.
/// An app and its extensions can share a storage.
///
/// What was fetched is stored without expiry. A document of another app, version or schema is refused, and a damaged file is ignored.
public actor LongpressClient {
    let configuration: LongpressConfiguration
    let storage: any LongpressStorage
    let transport: any LongpressTransport
    let environment: ClientEnvironment
    /// As `Text`, since types are compared by Unicode scalars and not by canonical equivalence.
    let staticTypes: Set<Text>
    private let bundled: Data?

    /// What requests are made for; an error if the configuration is invalid.
    private(set) var installation: Result<Installation, LongpressError>
    private var hasLoaded = false
    /// The files as they were last read: another process may have written them since.
    private var audienceFile: Data?
    private var menuFile: Data?

    /// The fetched documents of the running version.
    var knownMenu: KnownMenu?
    var knownBundle: KnownBundle?
    /// The bundled document of the running version.
    private(set) var carriedBundle: KnownBundle?

    var backoff = Backoff()
    /// The `Retry-After` of the last response.
    var askedToWait: Duration?
    /// The last answer `no-shortcut-set`: what it was asked with, and how long it is fresh.
    var absence: (key: String, freshness: Freshness)?
    /// The refresh in flight, and the callers that wait for it.
    var refreshing: Task<Void, Never>?
    var waiting: [AsyncStream<Result<Refresh, LongpressError>>.Continuation] = []

    /// Creates a client. It reads the storage when it is first used.
    /// - Parameters:
    ///   - configuration: the service, the app and its version.
    ///   - bundled: the response of `GET …/bundle` for this version (<doc:Offline>), for a first launch without a network.
    ///   - storage: keeps what was fetched from one launch to the next. An app with extensions uses `.appGroup("group.…")`.
    ///   - transport: sends the requests.
    public init(
        _ configuration: LongpressConfiguration, bundled: Data? = nil,
        storage: any LongpressStorage = .caches,
        transport: any LongpressTransport = URLSessionTransport()
    ) {
        self.init(configuration, bundled: bundled, storage: storage, transport: transport, environment: .system)
    }

    package init(
        _ configuration: LongpressConfiguration, bundled: Data?, storage: any LongpressStorage, transport: any LongpressTransport,
        environment: ClientEnvironment
    ) {
        self.configuration = configuration
        self.bundled = bundled
        self.storage = storage
        self.transport = transport
        self.environment = environment
        staticTypes = Set(configuration.staticTypes.map { Text($0) })
        installation = Self.installation(configuration, configuration.audience)
    }

    /// The menu that is known now, without a request: the one that was last fetched for this version and audience, else the bundled one.
    ///
    /// Nil if there is neither; then leave registered items as they are.
    public var menu: QuickActionMenu? {
        load()
        guard case .success(let installation) = installation else { return nil }
        if let knownMenu, knownMenu.answer.key == installation.menuKey { return knownMenu.menu }
        // After a change of language the stored bundle has the menu in the new language before it is fetched.
        let candidates = [knownBundle?.menu, knownMenu?.menu, carriedBundle?.menu].compactMap { $0 }
        // The menu of another audience is never shown. The default one may be: an audience without a menu of its own is served it.
        let shown = [installation.audience.description, Audience.default.description]
        return shown.lazy.compactMap { audience in candidates.first { $0.audience == audience } }.first
    }

    /// Changes the audience, for example when the person logs in or out.
    ///
    /// The audience is stored. The menu and the bundle of another audience are deleted at once; call ``refresh()`` to fetch the new ones.
    /// - Parameter audience: nil for `default`. With an invalid one ``refresh()`` throws ``LongpressError/foreign(_:)`` and every tap is
    ///   resolved as `unknown`.
    public func update(audience: String?) async {
        load()
        let kept = KeptAudience(audience: audience, configured: configuration.audience)
        audienceFile = kept.file
        save(kept.file, as: "audience")
        become(audience)
        reload()
    }

    private func become(_ audience: String?) {
        installation = Self.installation(configuration, audience)
        let now = try? installation.get()
        if let known = knownMenu?.served.subject.audience, known != .default, known != now?.audience {
            knownMenu = nil
            menuFile = Data()
            save(Data(), as: "menu")
        }
        if let known = knownBundle?.bundle.subject.audience, known != .default, known != now?.audience {
            knownBundle = nil
            save(Data(), as: "bundle")
        }
    }

    private static func installation(
        _ configuration: LongpressConfiguration, _ audience: String?
    ) -> Result<Installation, LongpressError> {
        Result { () throws(LongpressError) in try Installation(configuration, audience: audience) }
    }
}

extension LongpressClient {
    /// Reads the storage and the bundled document, once.
    func load() {
        guard !hasLoaded else { return }
        hasLoaded = true
        reload()
        // Read for any audience, since the audience may change.
        if let bundled, let anybody = try? Installation(configuration, audience: nil) {
            carriedBundle = try? KnownBundle(carried: [UInt8](bundled), for: anybody)
        }
    }

    /// Reads again the files that another process may have written.
    func reload() {
        if let file = read("audience"), file != audienceFile, let kept = KeptAudience(file) {
            audienceFile = file
            become(kept.configured == configuration.audience ? kept.audience : configuration.audience)
        }
        guard case .success(let installation) = installation, let file = read("menu"), file != menuFile else { return }
        menuFile = file
        knownMenu = KeptAnswer(file).flatMap { try? KnownMenu($0, for: installation) } ?? knownMenu
        knownBundle = read("bundle").flatMap(KeptAnswer.init).flatMap { try? KnownBundle($0, for: installation) } ?? knownBundle
    }

    func keep(_ menu: KnownMenu) {
        knownMenu = menu
        menuFile = menu.answer.file
        save(menu.answer.file, as: "menu")
    }

    func keep(_ bundle: KnownBundle) {
        knownBundle = bundle
        if let answer = bundle.answer { save(answer.file, as: "bundle") }
    }

    /// Begins with the app's identifier: several apps may share a storage.
    private func name(_ document: String) -> String? {
        AppID(configuration.app).map { "\($0).\(document)" }
    }

    private func read(_ document: String) -> Data? {
        name(document).flatMap(storage.load)
    }

    /// A document that cannot be saved is still known in memory.
    private func save(_ data: Data, as document: String) {
        if let name = name(document) { try? storage.save(data, as: name) }
    }

    var now: Timestamp {
        // A date outside of Int64 milliseconds counts as 1970.
        let milliseconds = environment.now().timeIntervalSince1970 * 1000
        return Timestamp(milliseconds: Int64(exactly: milliseconds.rounded()) ?? 0)
    }
}
