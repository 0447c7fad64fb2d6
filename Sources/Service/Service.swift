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

    package let store: Store
    /// Every operation there is.
    let routes: [Route]
    private let configuration: ServiceConfiguration
    private let logger: Logger
    private let logLines: LogLines
    private let server: HTTPServer
    private let dispatcher: Dispatcher
    private let scheduler: Scheduler
    private let taps: TapLedger
    private let pruning: Pruning
    private let storeWatch: StoreWatch
    private let observation: Observation
    private let readiness: Readiness
    private let reached: Reached

    /// Opens and migrates; nothing is served yet.
    package init(_ configuration: ServiceConfiguration) throws {
        self.configuration = configuration
        let lines = LogLines { [format = configuration.logFormat] lost in
            format.line("log lines lost", .warning, ["lines": .stringConvertible(lost)])
        }
        logLines = lines
        logger = Logger(label: "longpress") { _ in
            LineLogHandler(format: configuration.logFormat, level: configuration.logLevel, write: lines.write)
        }
        let (rendered, metrics, gauges) = (
            RenderedAnswers(budget: configuration.cacheBudget.bytes, loops: configuration.server.eventLoops), Metrics(), ServerGauges()
        )
        let reached = Reached(configuration)
        self.reached = reached
        store = try configuration.database.openStore(configuration.storage) { configuration.publicURL ?? "http://\(reached.client)" }
        var webhooks = configuration.webhooks
        webhooks.prepareThread = Scheduling.giveWay
        dispatcher = Dispatcher(queue: store, configuration: webhooks, logger: logger, observe: metrics.count)
        scheduler = Scheduler(
            store: store, window: configuration.cachePolicy.windowBeforePublish, clock: SystemClock(), logger: logger,
            approaching: rendered.drop)
        pruning = Pruning(of: store, clock: SystemClock(), logger: logger)
        storeWatch = StoreWatch(over: store, logger: logger)
        taps = TapLedger(store: store, outcomes: metrics.taps, clock: SystemClock(), logger: logger)
        readiness = Readiness()
        let facts = OperationalFacts(
            metrics: metrics, gauges: gauges, store: store, rendered: rendered, clock: SystemClock(), startedAt: SystemClock().now())
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
        server = HTTPServer(
            configuration: configuration.server, listeners: try configuration.listeners(for: table),
            metrics: Observer(metrics: metrics, logger: logger))
        gauges.read(from: server)
    }

    /// Where the client plane is reached.
    package var address: ListenAddress { reached.client }

    /// Where the admin plane is reached; the same unless it was moved.
    package var adminAddress: ListenAddress { reached.admin }

    /// Serves until SIGTERM or SIGINT, then drains.
    /// - Parameter serving: called once the service can be reached.
    package func run(serving: () throws -> Void = {}) throws {
        let signals = StopSignals()
        // Before a token is made: one that is printed by a start that then fails would be taken for good.
        try bind()
        try makeFirstToken()
        serve()
        defer { stop() }
        try serving()
        signals.wait()
    }

    var hasConfiguredToken: Bool { configuration.adminToken != nil }

    private func bind() throws(BindingRefusal) {
        do throws(SystemError) {
            reached.set(try server.bind().map { ListenAddress(host: $0.host, port: $0.port) })
        } catch {
            throw BindingRefusal(
                description: "\(reached.client) cannot be listened on (\(error)). Choose another address with --listen.")
        }
    }

    private func serve() {
        server.serve()
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
