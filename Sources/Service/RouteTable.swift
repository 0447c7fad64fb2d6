import API
import HTTP
import HTTPServer
import QuickActions
import Shortcuts
import Storage
import StoragePostgres
import StorageSQLite
import Webhooks

/// Composes the routes and assigns them to addresses.
struct RouteTable {
    private let client: [Route]
    private let admin: [Route]
    /// The console is not part of the API, so its routes are not in openapi.yaml.
    private let console: [Route]
    private let common: [Route]
    private let operations: [Route]
    let authenticator: Authenticator
    private let cache: SharedCache
    private let clientRoutes: ClientRoutes
    /// Must be called after each commit that may have changed the app's answers.
    let refresh: @Sendable (AppID) -> Void

    init(
        _ configuration: ServiceConfiguration, store: Store, taps: any TapCounter, tokenUses: TokenUseBuffer, cache: SharedCache,
        stream: StreamFeed, streamAccess: StreamAccessMonitor, at address: PublicAddress, adminBudget: AdminBudget,
        collector: MetricsCollector, readiness: Readiness
    ) {
        self.cache = cache
        authenticator = Authenticator(
            tokens: store, configuredToken: configuration.adminToken, proxySignIn: configuration.proxySignIn, clock: store.clock,
            maxTokenAge: configuration.maxTokenAge, noteUse: tokenUses.note)
        clientRoutes = ClientRoutes(
            apps: store, taps: taps, reports: store, policy: configuration.cachePolicy, cache: cache, clock: store.clock,
            previews: PreviewAccess(links: store, authenticator: authenticator, clock: store.clock))
        let opener = StreamOpener(store: store, live: stream.live, address: address, news: stream)
        client = clientRoutes.routes + StreamRoutes(opener).routes
        refresh = clientRoutes.refresh
        let hosts = AllowedHosts(configuration.hostNames)
        admin = hosts.guarding(
            AdminRoutes(
                stores: store, taps: taps,
                authenticator: authenticator,
                endpointRules: EndpointRules(
                    addressGuard: configuration.webhooks.addressGuard, httpsOnly: configuration.webhooks.httpsOnly),
                clock: store.clock,
                generator: Randomness.generator,
                streaming: AdminStreaming(opener, streamAccess.streams, watch: streamAccess.watch),
                program: ProgramDescription(version: Service.version, libraries: Self.libraries), budget: adminBudget,
                tokenWrites: configuration.tokenWrites
            ).routes)
        console = configuration.hasConsole ? hosts.guarding(Console { sha256Hex($0, first: 16) }.routes) : []
        let operationRoutes = OperationRoutes(
            isReady: { readiness.value },
            // On the loop, because it does not block: it reads only file metadata, which the kernel caches.
            canWrite: { store.writeError == nil }, metrics: { collector.prometheusText }, openAPI: Self.openAPI)
        (common, operations) = (operationRoutes.common, hosts.guarding(operationRoutes.others))
    }

    /// openapi.yaml
    static let openAPI = EmbeddedFiles.all[0].text.withUTF8Buffer(Array.init)

    private static let libraries = [
        (name: "sqlite", version: SQLiteDatabase.libraryVersion), ("libcurl", Dispatcher.libcurlVersion),
        ("libpq", PostgresDatabase.libraryVersion),
    ]

    var routes: [Route] { client + admin + common + operations + [start(client: true, admin: true)] }

    /// One handler for each address that the server is bound to.
    func handlers(for configuration: ServiceConfiguration) -> [any Handler] {
        configuration.adminListen == nil ? [bothPlanes] : [clientPlane, adminPlane]
    }

    private var bothPlanes: any Handler { fetchHandler(routes + console) }

    private var clientPlane: any Handler {
        fetchHandler(client + common + [start(client: true, admin: false)])
    }

    private func fetchHandler(_ routes: [Route]) -> FetchHandler {
        FetchHandler(router: Router(routes, failure: unrouted), client: clientRoutes, cache: cache)
    }

    private var adminPlane: any Handler {
        Router(admin + console + common + operations + [start(client: false, admin: true)], failure: unrouted)
    }

    private func start(client: Bool, admin: Bool) -> Route {
        OperationRoutes.start(hasClientPlane: client, hasAdminPlane: admin, hasConsole: admin && !console.isEmpty)
    }
}

/// Answers fetches from the cache of each loop, and other requests by their routes.
private struct FetchHandler: Handler {
    let router: Router
    let client: ClientRoutes
    let cache: SharedCache

    func makeCache() -> (any AnswerCache)? {
        LoopCache(of: cache, for: client)
    }

    func route(_ request: Request) -> RouteDecision {
        router.route(request)
    }
}

extension ServiceConfiguration {
    /// The host names that the service accepts, in addition to addresses and loopback names.
    var hostNames: [String] {
        allowedHosts + [NodeName.hostName] + [publicURL.flatMap { URIParts($0).host.map(String.init) }].compactMap { $0 }
    }

    var cachePolicy: CachePolicy { CachePolicy(maxAge: Int(cacheMaxAge.inMilliseconds / 1000)) }

    /// A single process knows a change before its delivery starts. Other nodes learn of it a little later.
    private var standardGrace: Duration {
        switch database {
        case .sqlite: .zero
        case .postgres: .milliseconds(100)
        }
    }

    var storage: Store.Configuration {
        var storage = Store.Configuration()
        storage.node = Store.Node(id: Randomness.id(), name: "\(node)", version: Service.version)
        if case .postgres = database { storage.isShared = true }
        storage.secretKey = keyAtRest
        storage.snapshotBudget = snapshotBudget
        storage.quota = quota
        storage.firstAttemptDelay = (webhooks.schedule.delays.first ?? .zero) + (firstAttemptGrace ?? standardGrace)
        return storage
    }
}
