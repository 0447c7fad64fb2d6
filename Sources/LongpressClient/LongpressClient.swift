public import Foundation
internal import QuickActions

/// Knows an app's menu, keeps it fresh, and tells what a tap means, with and without a network.
///
/// It registers nothing and knows no user interface: `Longpress` does that in an app. One client is enough for a process; clients of an
/// app and of its extensions may share a storage.
///
/// What is fetched is stored and never expires. A document of another app, version or schema is never taken, and a damaged file is as
/// good as none.
public actor LongpressClient {
    let configuration: LongpressConfiguration
    let storage: any LongpressStorage
    let transport: any LongpressTransport
    let environment: ClientEnvironment
    /// As `Text`: types are compared by their Unicode scalars.
    let staticTypes: Set<Text>
    private let bundled: Data?

    /// Who asks now; an error where nothing can be asked with the configuration.
    private(set) var installation: Result<Installation, LongpressError>
    private var hasLoaded = false
    /// The files as they were read last: another process may have written since.
    private var audienceFile: Data?
    private var menuFile: Data?

    /// What was fetched, for the running version.
    var knownMenu: KnownMenu?
    var knownBundle: KnownBundle?
    /// What the app carries for it.
    private(set) var carriedBundle: KnownBundle?

    var backoff = Backoff()
    /// How long the service has asked to be left alone with its last answer.
    var askedToWait: Duration?
    /// That no set is in effect, for whom, and how long that need not be asked again.
    var absence: (key: String, freshness: Freshness)?
    /// The request that is under way and those who wait for it.
    var refreshing: Task<Void, Never>?
    var waiting: [AsyncStream<Result<Refresh, LongpressError>>.Continuation] = []

    /// - Parameters:
    ///   - configuration: which menu is wanted, and from where.
    ///   - bundled: what `longpress bundle` printed for this version, for a first launch without a network.
    ///   - storage: where what is fetched outlives a launch. In an app that has extensions: `.appGroup("group.…")`.
    ///   - transport: carries the requests.
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

    /// What is known now: the menu that was fetched last for this version and audience, else the carried one. It asks nobody.
    ///
    /// Nil where nothing is known, which means: keep what is registered.
    public var menu: QuickActionMenu? {
        load()
        guard case .success(let installation) = installation else { return nil }
        // After a change of language the bundle has the menu in the new one before it is fetched.
        let isAsWanted = knownMenu?.answer.key == installation.menuKey
        let candidates = [isAsWanted ? knownMenu?.menu : nil, knownBundle?.menu, knownMenu?.menu, carriedBundle?.menu]
        // The menu of another audience is never shown. The default menu may be: it is served to every audience without its own.
        let shown = [installation.audience.description, Audience.default.description]
        return candidates.lazy.compactMap { $0 }.first { shown.contains($0.audience) }
    }

    /// The person has logged in or out.
    ///
    /// It is kept across launches. What was known for another audience is forgotten at once; `refresh` asks for the new one's menu.
    /// - Parameter audience: nil for `default`. One that is no audience makes `refresh` throw `.foreign` and every tap `.unknown`.
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
    /// Reads what is kept and carried, once.
    func load() {
        guard !hasLoaded else { return }
        hasLoaded = true
        reload()
        // Read without the audience, which may change.
        if let bundled, let anybody = try? Installation(configuration, audience: nil) {
            carriedBundle = try? KnownBundle(carried: [UInt8](bundled), for: anybody)
        }
    }

    /// Reads what another process may have written since.
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

    /// A name for each app: storages may be shared.
    private func name(_ document: String) -> String? {
        AppID(configuration.app).map { "\($0).\(document)" }
    }

    private func read(_ document: String) -> Data? {
        name(document).flatMap(storage.load)
    }

    /// A document that cannot be saved is kept in memory.
    private func save(_ data: Data, as document: String) {
        if let name = name(document) { try? storage.save(data, as: name) }
    }

    var now: Timestamp {
        // A date outside of Int64 milliseconds counts as 1970.
        let milliseconds = environment.now().timeIntervalSince1970 * 1000
        return Timestamp(milliseconds: Int64(exactly: milliseconds.rounded()) ?? 0)
    }
}
