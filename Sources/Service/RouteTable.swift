import API
import HTTP
import HTTPServer
import Shortcuts
import Storage
import Webhooks

/// Which routes are served at which address.
struct RouteTable {
    private let client: [Route]
    private let admin: [Route]
    private let operations: [Route]
    private let rendered: RenderedAnswers
    private let isSplit: Bool

    init(
        _ configuration: ServiceConfiguration, store: Store, rendered: RenderedAnswers, facts: OperationalFacts,
        readiness: Readiness
    ) {
        self.rendered = rendered
        isSplit = configuration.adminListen != nil
        let policy = CachePolicy(maxAge: Int(configuration.cacheMaxAge.inMilliseconds / 1000))
        client = ClientRoutes(apps: store, policy: policy, rendered: rendered).routes
        admin =
            AdminRoutes(
                stores: store, authority: Authority(tokens: store, configuredToken: configuration.adminToken),
                endpointRules: EndpointRules(addressGuard: configuration.webhooks.addressGuard), clock: SystemClock(),
                identifiers: Randomness.identifiers
            ).routes
        operations =
            OperationRoutes(
                isReady: { readiness.value }, metrics: { facts.prometheusText },
                openAPI: PackageResources.openapi_yaml
            ).routes
    }

    var routes: [Route] { client + admin + operations }

    /// One for the client plane, and one for the admin plane where it has an address of its own.
    func applications(observer: Observer) -> [Application] {
        let (answer, forgotten) = (rendered.answer, { @Sendable (_: RequestHead, _: UnsafeRawBufferPointer) -> PreparedAnswer? in nil })
        func application(_ routes: [Route], _ remembered: @escaping @Sendable (RequestHead, UnsafeRawBufferPointer) -> PreparedAnswer?)
            -> Application
        {
            Application(router: Router(routes), remembered: remembered, unrouted: unrouted, observer: observer)
        }
        guard isSplit else { return [application(client + admin + operations, answer)] }
        return [application(client + operations, answer), application(admin + operations, forgotten)]
    }
}

extension ServiceConfiguration {
    var storage: Store.Configuration {
        var storage = Store.Configuration()
        storage.firstAttemptDelay = webhooks.schedule.delays.first ?? .zero
        return storage
    }
}
