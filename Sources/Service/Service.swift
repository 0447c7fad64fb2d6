import API
import Dispatch
import HTTP
import HTTPServer
import Logging
import Shortcuts
import Storage
import Synchronization
import Webhooks

/// The whole program: opens the store, wires the parts, serves until it is told to stop.
package final class Service: Sendable {
    package static let version = "0.1.0"

    /// Where the client plane is reached.
    package let address: ListenAddress
    /// Where the admin plane is reached; the same unless it was moved.
    package let adminAddress: ListenAddress
    package let store: Store
    /// Every operation there is.
    let routes: [Route]
    private let configuration: ServiceConfiguration
    private let logger: Logger
    private let server: HTTPServer
    private let applications: [Application]
    private let dispatcher: Dispatcher
    private let readiness: Readiness

    /// Binds, opens and migrates; nothing is served yet.
    package init(_ configuration: ServiceConfiguration) throws {
        self.configuration = configuration
        let (format, level) = (configuration.logFormat, configuration.logLevel)
        logger = Logger(label: "longpress") { _ in LineLogHandler(format: format, level: level) }
        server = try Self.bind(configuration)
        let reached = server.addresses.map { ListenAddress(host: $0.host, port: $0.port) }
        address = reached.first ?? configuration.listen
        adminAddress = reached.last ?? configuration.listen

        let (rendered, wakeup, metrics) = (RenderedAnswers(), Wakeup(), Metrics())
        store = try Store(
            path: configuration.database.description, configuration: configuration.storage,
            announcer: Announcer(publicURL: configuration.publicURL ?? "http://\(address)", makeID: Randomness.id),
            clock: SystemClock(), identifiers: Randomness.id,
            onCommit: Store.CommitHooks(changed: rendered.drop, eventsQueued: wakeup.call))
        dispatcher = Dispatcher(queue: store, configuration: configuration.webhooks, logger: logger, observe: metrics.count)
        wakeup.connect(to: dispatcher)
        readiness = Readiness()
        let facts = OperationalFacts(
            metrics: metrics, server: server, store: store, rendered: rendered, clock: SystemClock(),
            startedAt: SystemClock().now())
        let table = RouteTable(configuration, store: store, rendered: rendered, facts: facts, readiness: readiness)
        routes = table.routes
        applications = table.applications(observer: Observer(metrics: metrics, logger: logger))
    }

    /// Serves until SIGTERM or SIGINT, then drains.
    /// - Parameter serving: called once the service can be reached.
    package func run(serving: () -> Void = {}) throws {
        let signals = StopSignals()
        try makeFirstToken()
        try start()
        serving()
        signals.wait()
        stop()
    }

    var hasConfiguredToken: Bool { configuration.adminToken != nil }

    package func start() throws {
        dispatcher.start()
        try server.start(serving: applications)
        readiness.set(true)
        logger.notice("listening", metadata: ["address": "\(address)", "plane": adminAddress == address ? "both" : "client"])
        if adminAddress != address { logger.notice("listening", metadata: ["address": "\(adminAddress)", "plane": "admin"]) }
    }

    /// The listener closes, requests that have begun are answered, running attempts come to their end and are recorded.
    package func stop() {
        readiness.set(false)
        logger.notice("draining", metadata: ["within": "\(configuration.drainTimeout.text)"])
        let deadline = ContinuousClock.now + configuration.drainTimeout
        server.drain(within: configuration.drainTimeout)
        let isClean = dispatcher.drain(timeout: max(.zero, deadline - .now))
        logger.notice("stopped", metadata: ["clean": "\(isClean)"])
    }

    private static func bind(_ configuration: ServiceConfiguration) throws -> HTTPServer {
        var problems: [String] = []
        let wanted = [configuration.listen] + [configuration.adminListen].compactMap { $0 }
        let addresses = wanted.compactMap { address in
            let parsed = SocketAddress(host: address.host, port: address.port)
            if parsed == nil { problems.append("\(address) is not a literal IPv4 or IPv6 address with a port.") }
            return parsed
        }
        guard problems.isEmpty else { throw ConfigurationError(problems) }
        do throws(SystemError) {
            return try HTTPServer(binding: addresses, configuration: configuration.server, makeRequestID: Randomness.requestID)
        } catch {
            let named = wanted.map(\.description).joined(separator: " and ")
            throw BindingRefusal(description: "\(named) cannot be listened on (\(error)). Choose another address with --listen.")
        }
    }
}

/// Why an address could not be listened on.
package struct BindingRefusal: Error, CustomStringConvertible {
    package let description: String
}

/// Whether new work is welcome.
final class Readiness: Sendable {
    private let isReady = Atomic(false)

    func set(_ value: Bool) { isReady.store(value, ordering: .releasing) }

    var value: Bool { isReady.load(ordering: .acquiring) }
}

/// Wakes the dispatcher after a commit. The store is made before the dispatcher, which is made on it.
final class Wakeup: Sendable {
    private let dispatcher = Mutex<Dispatcher?>(nil)

    func connect(to dispatcher: Dispatcher) {
        self.dispatcher.withLock { $0 = dispatcher }
    }

    func call() {
        dispatcher.withLock { $0 }?.wake()
    }
}
