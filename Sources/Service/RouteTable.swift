import API
import HTTP
import HTTPServer
import QuickActions
import Shortcuts
import Storage
import Webhooks

/// Which routes are served at which address.
struct RouteTable {
    private let client: [Route]
    private let admin: [Route]
    private let health: [Route]
    private let operations: [Route]
    private let rendered: RenderedAnswers
    /// To be called after each commit that may have changed what is answered about the app.
    let refresh: @Sendable (AppID) -> Void

    init(
        _ configuration: ServiceConfiguration, store: Store, taps: any TapCounter, rendered: RenderedAnswers, facts: OperationalFacts,
        readiness: Readiness
    ) {
        self.rendered = rendered
        let clientRoutes = ClientRoutes(
            apps: store, taps: taps, policy: configuration.cachePolicy, rendered: rendered, clock: SystemClock())
        client = clientRoutes.routes
        refresh = clientRoutes.refresh
        admin =
            AdminRoutes(
                stores: store, taps: taps,
                authority: Authority(tokens: store, configuredToken: configuration.adminToken, clock: SystemClock()),
                endpointRules: EndpointRules(
                    addressGuard: configuration.webhooks.addressGuard, httpsOnly: configuration.webhooks.httpsOnly),
                clock: SystemClock(),
                identifiers: Randomness.identifiers
            ).routes
        let operationRoutes = OperationRoutes(
            isReady: { readiness.value },
            // Looks at the files' entries, which the system keeps in memory: nothing here waits for a disk.
            canWrite: { store.writeObstacle == nil }, metrics: { facts.prometheusText }, openAPI: PackageResources.openapi_yaml)
        (health, operations) = (operationRoutes.health, operationRoutes.others)
    }

    var routes: [Route] { client + admin + health + operations }

    /// Everything at one address.
    var whole: any Handler { FetchHandler(router: Router(routes, failure: unrouted), rendered: rendered) }

    /// What clients reach, where the admin plane has an address of its own: beside their plane the health checks only.
    var clientPlane: any Handler { FetchHandler(router: Router(client + health, failure: unrouted), rendered: rendered) }

    var adminPlane: any Handler { Router(admin + health + operations, failure: unrouted) }
}

/// Fetches are answered from memory where they can be, everything else by its route.
private struct FetchHandler: Handler {
    let router: Router
    let rendered: RenderedAnswers

    func makeMemory() -> (any AnswerMemory)? {
        RecentAnswers(of: rendered)
    }

    func route(_ request: Request) -> RouteDecision {
        router.route(request)
    }
}

extension ServiceConfiguration {
    var cachePolicy: CachePolicy { CachePolicy(maxAge: Int(cacheMaxAge.inMilliseconds / 1000)) }

    var storage: Store.Configuration {
        var storage = Store.Configuration()
        storage.snapshotBudget = snapshotBudget.bytes
        storage.firstAttemptDelay = webhooks.schedule.delays.first ?? .zero
        return storage
    }
}
