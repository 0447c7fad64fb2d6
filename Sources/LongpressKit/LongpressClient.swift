public import Foundation
internal import QuickActions

/// Fetches and stores the menu of one version of an app, and resolves taps, with and without a network.
///
/// The client has no user interface. In an app, `Longpress` registers the menu with the system. One client per process is enough. An app
/// and its extensions can share a storage.
///
/// The client stores fetched documents without expiry. It rejects documents of another app, version or schema, and ignores damaged files.
public actor LongpressClient {
    let configuration: LongpressConfiguration
    let storage: any LongpressStorage
    let transport: any LongpressTransport
    let environment: ClientEnvironment
    /// As `Text`, because types are compared by Unicode scalars and not by canonical equivalence.
    let staticTypes: Set<Text>
    private let bundled: Data?

    /// The parameters of requests, or an error if the configuration is invalid.
    private(set) var installation: Result<Installation, LongpressError>
    private var hasLoaded = false
    /// The files as last read. Another process may write them at any time.
    private var audienceFile: Data?
    private var menuFile: Data?

    /// The fetched documents of the running version.
    var knownMenu: KnownMenu?
    var knownBundle: KnownBundle?
    /// The bundled document of the running version.
    private(set) var carried: CarriedAudiences?
    /// Why the bundled document is ignored.
    private var carriedError: LongpressError?

    /// The link to drafts that this phone follows, and the menu that it got with it.
    var preview: Preview?
    var previewMenu: KnownMenu?

    var backoff = Backoff()
    /// The `Retry-After` of the last response.
    var askedToWait: Duration?
    /// The last answer `no-shortcut-set`: the key of its request, and its freshness.
    var absence: (key: String, freshness: Freshness)?
    /// The counted taps, and their file as last read.
    var taps = CountedTaps()
    var tapsFile: Data?
    var isReporting = false
    /// For a storage that cannot be written.
    var unsavedID: InstallationID?
    /// The refresh in flight, and the callers that wait for it.
    var refreshing: Task<Void, Never>?
    var waiting: [AsyncStream<Result<MenuUpdate, LongpressError>>.Continuation] = []

    /// Creates a client, which reads the storage at its first use.
    /// - Parameters:
    ///   - configuration: the service, the app and its version.
    ///   - bundled: the response of `GET …/bundle` for this version (<doc:Offline>), for a first launch without a network.
    ///   - storage: keeps fetched documents between launches. An app with extensions uses `.appGroup("group.…")`.
    ///   - transport: sends the requests.
    public init(
        _ configuration: LongpressConfiguration, bundled: Data? = nil,
        storage: any LongpressStorage = .standard,
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

    /// The known menu, without a request: the last fetched menu for this version and audience, else the bundled menu.
    ///
    /// Nil if there is neither. Then keep the registered items.
    public var menu: QuickActionMenu? {
        load()
        guard case .success(let installation) = installation else { return nil }
        if let previewMenu, previewMenu.answer.key.hasPrefix(installation.menuKey + " ") { return previewMenu.menu }
        if let knownMenu, knownMenu.answer.key == installation.menuKey { return knownMenu.menu }
        // After a change of language, the stored bundle already has the menu in the new language.
        let candidates = [knownBundle?.menu(in: knownMenu?.choice), knownMenu?.menu].compactMap { $0 }
        // The menu of another audience is never shown, except the default menu, which the service serves to an audience without its own
        // menu.
        for audience in [installation.audience, .default] {
            if let known = candidates.first(where: { $0.audience == audience.description }) { return known }
            if let bundle = carried?.bundle(for: audience) { return QuickActionMenu(bundle.menu) }
        }
        return nil
    }

    /// Changes the audience, for example when the person logs in or out.
    ///
    /// The client stores the audience, and deletes the menu and the bundle of another audience at once. Call ``refresh()`` to fetch the new
    /// ones.
    /// - Parameter audience: nil for `default`. If it is invalid, ``refresh()`` throws ``LongpressError/invalidConfiguration(_:)`` and every tap is
    ///   resolved as `unknown`.
    public func update(audience: String?) async {
        load()
        let kept = KeptAudience(audience: audience, configured: configuration.audience)
        audienceFile = kept.file
        save(kept.file, as: "audience")
        become(audience)
        reload()
    }

    /// Why the bundled document is ignored; nil if it is used, or if there is none.
    package var bundleError: LongpressError? {
        load()
        return carriedError
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
        if configuration.allowsPreviews { preview = read("preview").flatMap(Preview.init) }
        reload()
        // Read for any audience, since the audience may change.
        if let bundled, let anybody = try? Installation(configuration, audience: nil) {
            do throws(LongpressError) {
                carried = try CarriedAudiences(resource: [UInt8](bundled), for: anybody)
            } catch {
                carriedError = error
            }
        }
    }

    /// Reads the files again, which another process may have written.
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
        save(bundle.answer.file, as: "bundle")
    }

    /// Begins with the app's identifier: several apps may share a storage.
    private func name(_ document: String) -> String? {
        AppID(configuration.app).map { "\($0).\(document)" }
    }

    func read(_ document: String) -> Data? {
        name(document).flatMap(storage.load)
    }

    /// A document that cannot be saved stays in memory.
    func save(_ data: Data, as document: String) {
        if let name = name(document) { try? storage.save(data, as: name) }
    }

    var now: Timestamp {
        // A date outside the range of Int64 milliseconds counts as 1970.
        let milliseconds = environment.now().timeIntervalSince1970 * 1000
        return Timestamp(milliseconds: Int64(exactly: milliseconds.rounded()) ?? 0)
    }
}
