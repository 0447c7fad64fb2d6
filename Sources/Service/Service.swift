import API
import Dispatch
import HTTP
import HTTPServer
import Logging
import Shortcuts
import Storage
import Synchronization
import Threads
import Webhooks

/// The whole program: opens the store, wires the parts, serves until it is told to stop.
package final class Service: Sendable {
    package static let version = "0.1.0"

    package let store: Store
    /// Every operation there is.
    let routes: [Route]
    private let configuration: ServiceConfiguration
    private let logger: Logger
    private let logLines: LogLines
    private let server: HTTPServer
    /// As they were bound, in the order of the server's.
    private let addresses: [ListenAddress]
    private let dispatcher: Dispatcher
    private let scheduler: Scheduler
    private let taps: TapLedger
    private let pruning: Pruning
    private let storeWatch: StoreWatch
    private let observation: Observation
    private let readiness = Readiness()
    private let handlers: [any Handler]

    /// Binds the addresses, opens the store and migrates it; nothing is served yet.
    package init(_ configuration: ServiceConfiguration) throws {
        self.configuration = configuration
        let lines = LogLines { [format = configuration.logFormat] lost in
            format.line("log lines lost", .warning, ["lines": .stringConvertible(lost)])
        }
        logLines = lines
        logger = Logger(label: "longpress") { _ in
            LineLogHandler(format: configuration.logFormat, level: configuration.logLevel, write: lines.write)
        }
        let metrics = Metrics()
        // Bound first: events hold the address at which the service is reached, and a port may be the system's choice.
        server = try configuration.boundServer(metrics: Observer(metrics: metrics, logger: logger))
        addresses = server.addresses.map { ListenAddress(host: $0.host, port: $0.port) }
        let rendered = RenderedAnswers(budget: configuration.cacheBudget.bytes, loops: configuration.server.eventLoops)
        store = try configuration.database.openStore(
            configuration.storage, publicURL: configuration.publicURL ?? "http://\(addresses.first ?? configuration.listen)")
        dispatcher = Dispatcher(queue: store, configuration: configuration.webhooks, logger: logger, observe: metrics.count)
        scheduler = Scheduler(
            store: store, window: configuration.cachePolicy.windowBeforePublish, clock: SystemClock(), logger: logger,
            approaching: rendered.drop)
        let upkeep = SerialThread("lp-upkeep", isBackground: true)
        pruning = Pruning(of: store, on: upkeep, clock: SystemClock(), logger: logger)
        storeWatch = StoreWatch(over: store, on: upkeep, logger: logger)
        taps = TapLedger(store: store, on: upkeep, outcomes: metrics.taps, clock: SystemClock(), logger: logger)
        let facts = OperationalFacts(
            metrics: metrics, server: server, store: store, rendered: rendered, clock: SystemClock(), startedAt: SystemClock().now())
        let table = RouteTable(
            configuration, store: store, taps: taps, rendered: rendered, facts: facts, readiness: readiness)
        let commitLog = CommitLog(metrics: metrics, logger: logger)
        observation = store.observe { [rendered, dispatcher, scheduler] changes in
            for change in changes {
                switch change {
                case .app(let app): table.refresh(app)
                case .endpoints(let endpoints): dispatcher.endpointsChanged(endpoints)
                case .deliveries: dispatcher.wake()
                case .schedule: scheduler.wake()
                case .notice(let notice): commitLog.note(notice)
                case .everything:
                    rendered.dropAll()
                    dispatcher.wake()
                    scheduler.wake()
                }
            }
        }
        routes = table.routes
        handlers = table.handlers(for: configuration)
    }

    /// Where the client plane is reached.
    package var address: ListenAddress { addresses.first ?? configuration.listen }

    /// Where the admin plane is reached; the same unless it was moved.
    package var adminAddress: ListenAddress { addresses.last ?? configuration.listen }

    /// Serves until SIGTERM or SIGINT, then drains.
    /// - Parameter serving: called once the service can be reached.
    package func run(serving: () throws -> Void = {}) throws {
        let signals = StopSignals()
        try makeFirstToken()
        try serve()
        defer { stop() }
        try serving()
        signals.wait()
    }

    var hasConfiguredToken: Bool { configuration.adminToken != nil }

    private func serve() throws(SystemError) {
        try server.serve(handlers)
        dispatcher.start()
        scheduler.start()
        pruning.start()
        storeWatch.start()
        readiness.set(true)
        tellListening(address, plane: adminAddress == address ? "both" : "client")
        if adminAddress != address { tellListening(adminAddress, plane: "admin") }
    }

    private func tellListening(_ address: ListenAddress, plane: String) {
        var metadata: Logger.Metadata = ["address": "\(address)", "plane": "\(plane)"]
        if address.isEveryAddress { metadata["reach"] = "every address of this machine" }
        logger.notice("listening", metadata: metadata)
    }

    /// The listener closes, requests that have begun are answered, running attempts come to their end and are recorded:
    /// beside one another, so that a request that drags takes no time from the attempts.
    package func stop() {
        readiness.set(false)
        logger.notice("draining", metadata: ["within": "\(configuration.drainTimeout.text)"])
        scheduler.stop()
        pruning.stop()
        storeWatch.stop()
        let attempts = DispatchGroup()
        let isClean = Atomic(true)
        DispatchQueue.global().async(group: attempts) { [dispatcher, configuration] in
            isClean.store(dispatcher.drain(timeout: configuration.drainTimeout), ordering: .releasing)
        }
        let cutOff = server.drain(timeout: configuration.drainTimeout)
        taps.settle()
        attempts.wait()
        do throws(Failure) {
            try store.settle()
        } catch {
            logger.warning("the write-ahead log stays beside the database", metadata: ["cause": "\(error.cause ?? error.detail)"])
        }
        logger.notice(
            "stopped",
            metadata: [
                "connectionsCutOff": .stringConvertible(cutOff),
                "attemptsAbandoned": .stringConvertible(!isClean.load(ordering: .acquiring)),
            ])
        logLines.flush()
    }
}
