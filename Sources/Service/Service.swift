import API
import Dispatch
import Foundation
import HTTP
import HTTPServer
import Logging
import Platform
import QuickActions
import Shortcuts
import Storage
import Synchronization
import Webhooks

/// The composition root: opens the store, connects the parts, serves until a signal, then drains.
package final class Service: Sendable {
    package static let version = programVersion

    package let store: Store
    /// All operations; a test compares them with openapi.yaml.
    let routes: [Route]
    let configuration: ServiceConfiguration
    let logger: Logger
    let logLevel: LogLevel
    private let logWriter: LogWriter
    let server: HTTPServer
    let dispatcher: Dispatcher
    let authenticator: Authenticator
    private let scheduler: Scheduler
    private let stream: StreamFeed
    let streamAccess: StreamAccessMonitor
    private let taps: TapBuffer
    private let tokenUses: TokenUseBuffer
    private let pruning: Pruning
    private let storeMonitor: StoreMonitor
    /// Nil if no other node uses the store.
    private let heartbeat: Heartbeat?
    private let observation: Observation
    private let readiness = Readiness()
    private let handlers: [any Handler]
    private let manager = ServiceManager(environment: ProcessInfo.processInfo.environment)

    /// Binds the addresses, and opens and migrates the store. Serves nothing yet.
    package init(_ configuration: ServiceConfiguration) throws {
        ProcessSignals.deferHarmless()
        manager.start("Opening the database")
        self.configuration = configuration
        let logWriter = LogWriter { [format = configuration.logFormat] dropped in
            format.line("log lines lost", .warning, ["lines": .stringConvertible(dropped)])
        }
        self.logWriter = logWriter
        let logLevel = LogLevel(configuration.logLevel)
        self.logLevel = logLevel
        logger = Logger(label: "longpress") { _ in
            LineLogHandler(format: configuration.logFormat, level: logLevel, write: logWriter.write)
        }
        let metrics = Metrics()
        // Bound before the store is opened: events contain the service's address, and the system may choose its port.
        do throws(SystemError) {
            server = try HTTPServer(
                binding: [configuration.listen] + [configuration.adminListen].compactMap { $0 }, configuration: configuration.server,
                metrics: RequestRecorder(metrics: metrics, logger: logger, level: logLevel))
        } catch {
            throw TextError("Cannot listen on \(configuration.listen) (\(error)). Choose another address with --listen.")
        }
        let publicURL = configuration.publicURL ?? "http://\(server.addresses.first ?? configuration.listen)"
        var storage = configuration.storage
        storage.noteUnreadable = UnreadableRowLog(metrics: metrics, logger: logger).note
        store = try configuration.database.openStore(
            storage, publicURL: publicURL,
            serving: DatabaseName.Serving(
                postgres: configuration.postgres, node: "\(configuration.node)",
                waiting: { [logger] cause in logger.warning("waiting for the database", metadata: ["cause": "\(cause)"]) },
                unsafe: { [logger] setting in
                    logger.warning(
                        "a crash of the database's machine can lose acknowledged writes",
                        metadata: ["cause": "PostgreSQL runs with \(setting) = off. Set it to on."])
                }))
        let clock = store.clock
        let cache = SharedCache(
            budget: configuration.cacheBudget, loops: configuration.server.eventLoops, freshness: store.freshness)
        dispatcher = Dispatcher(queue: store, configuration: configuration.webhooks, clock: clock, logger: logger, observe: metrics.count)
        scheduler = Scheduler(
            store: store, windows: configuration.cachePolicy.windowsBeforePublish, clock: clock, logger: logger,
            approaching: cache.drop)
        let upkeep = SerialThread("lp-upkeep", isBackground: true)
        pruning = Pruning(of: store, keeping: configuration.retention, on: upkeep, clock: clock, logger: logger)
        storeMonitor = StoreMonitor(over: store, on: upkeep, logger: logger)
        heartbeat = store.isShared ? Heartbeat(of: store, logger: logger) : nil
        taps = TapBuffer(
            store: store, writer: Randomness.id(), on: upkeep, outcomes: metrics.taps, ignoredValues: metrics.ignoredValues, clock: clock,
            logger: logger)
        tokenUses = TokenUseBuffer(store: store, on: upkeep, logger: logger)
        let streamThread = SerialThread("lp-stream", isBackground: false)
        let streamAccess = StreamAccessMonitor(over: store, on: streamThread, ending: server, clock: clock)
        self.streamAccess = streamAccess
        let stream = StreamFeed(
            of: store, to: server, at: PublicAddress(publicURL), on: streamThread, logger: logger,
            // If it fails, waiting requests time out.
            checkForCommits: { [store] in try? store.checkForExternalCommits() }, dropAnswers: cache.dropAll)
        self.stream = stream
        let adminBudget = AdminBudget(bytes: configuration.adminBudget)
        let collector = MetricsCollector(
            metrics: metrics, server: server, store: store, cache: cache, adminBudget: adminBudget, clock: clock,
            startedAt: clock.now(), node: configuration.node, databasePath: configuration.database.path, log: logWriter,
            maxTokenAge: configuration.maxTokenAge)
        let table = RouteTable(
            configuration, store: store, taps: taps, tokenUses: tokenUses, cache: cache, stream: stream, streamAccess: streamAccess,
            at: PublicAddress(publicURL), adminBudget: adminBudget, collector: collector, readiness: readiness)
        let commitLog = CommitLog(metrics: metrics, logger: logger)
        observation = store.observe { [cache, dispatcher, scheduler, stream, streamAccess] changes in
            for change in changes {
                switch change {
                case .app(let app): table.refresh(app)
                case .endpoints(let endpoints): dispatcher.endpointsChanged(endpoints)
                case .deliveries: dispatcher.wake()
                case .schedule: scheduler.wake()
                case .stream(let tag): stream.advance(to: tag)
                case .credentials: streamAccess.wake()
                case .notice(let notice): commitLog.note(notice)
                case .everything:
                    cache.dropAll()
                    stream.advanceAnywhere()
                    streamAccess.wake()
                    dispatcher.wake()
                    scheduler.wake()
                }
            }
        }
        authenticator = table.authenticator
        try stream.start()
        routes = table.routes
        handlers = table.handlers(for: configuration)
    }

    /// The client plane's address.
    package var address: SocketAddress { server.addresses.first ?? configuration.listen }

    /// The admin plane's address. It is the client plane's address unless it is configured.
    package var adminAddress: SocketAddress { server.addresses.last ?? configuration.listen }

    /// Serves until SIGTERM or SIGINT, then drains.
    /// - Parameters:
    ///   - serving: called once the service accepts requests.
    ///   - reread: reads the configuration again, for SIGHUP. If nil, SIGHUP stops the service, too.
    package func run(serving: () throws -> Void = {}, reread: (() throws -> ServiceConfiguration)? = nil) throws {
        let signals = ProcessSignals()
        try store.join()
        renameDuplicateTokens()
        do {
            try encryptSecrets()
            try makeFirstToken()
        } catch {
            // Otherwise the other nodes list this node until it times out.
            heartbeat?.stop()
            throw error
        }
        retryQuarantined()
        try serve()
        var current = configuration
        func handle(_ signal: Int32) -> Bool {
            switch signal {
            case SIGHUP where reread != nil:
                manager.reloading()
                reread.map { apply(reread: $0, over: &current) }
                manager.started(servingStatus)
            case SIGUSR1: logger.notice("ignored a signal", metadata: ["signal": "SIGUSR1"])
            case SIGUSR2: logger.notice("ignored a signal", metadata: ["signal": "SIGUSR2"])
            default: return false
            }
            return true
        }
        func waitForStop(within limit: Duration? = nil) {
            let deadline = limit.map { ContinuousClock.now + $0 }
            // Half of systemd's timeout, as sd_watchdog_enabled(3) recommends.
            let pause = manager.watchdogInterval.map { $0 / 2 }
            while true {
                let left = [deadline.map { $0 - .now }, pause].compactMap { $0 }.min()
                if let signal = signals.next(within: left) {
                    if !handle(signal) { return }
                } else if let deadline, deadline <= .now {
                    return
                }
                // Unless every event loop responds, systemd restarts the service.
                if pause != nil, server.haveLoopsTurned() { manager.notify("WATCHDOG=1") }
            }
        }
        defer { stop(after: waitForStop) }
        try serving()
        manager.started(servingStatus)
        waitForStop()
    }

    private var servingStatus: String {
        adminAddress == address ? "Serving at \(address)" : "Serving at \(address), the admin plane at \(adminAddress)"
    }

    private func renameDuplicateTokens() {
        do throws(Failure) {
            try store.renameDuplicateTokens()
        } catch {
            logger.warning("tokens with the same name were not renamed", metadata: ["cause": "\(error.cause ?? error.detail)"])
        }
    }

    private func encryptSecrets() throws(Failure) {
        let count = try store.encryptSecrets()
        if count > 0 { logger.notice("encrypted the secrets of webhooks", metadata: ["webhooks": .stringConvertible(count)]) }
    }

    private func retryQuarantined() {
        do throws(Failure) {
            try store.retryQuarantined(at: store.clock.now())
        } catch {
            logger.warning("quarantined entries were not retried", metadata: ["cause": "\(error.cause ?? error.detail)"])
        }
    }

    var hasConfiguredToken: Bool { configuration.adminToken != nil }

    private func serve() throws(SystemError) {
        dispatcher.start()
        scheduler.start()
        pruning.start()
        storeMonitor.start()
        heartbeat?.start()
        // Set before the first request is read, so that a probe that waited in the kernel's queue finds the service ready.
        readiness.set(true)
        try server.serve(handlers)
        warnOfMachine()
        var database: Logger.Metadata = ["database": "\(configuration.database.fullDescription)"]
        if store.isShared { database["node"] = "\(configuration.node)" }
        logger.notice(store.isShared ? "sharing the database" : "using the database", metadata: database)
        logListening(address, plane: adminAddress == address ? "both" : "client")
        if adminAddress != address { logListening(adminAddress, plane: "admin") }
    }

    private func logListening(_ address: SocketAddress, plane: String) {
        var metadata: Logger.Metadata = ["address": "\(address)", "plane": "\(plane)"]
        if address.isWildcard { metadata["reach"] = "all addresses of this machine" }
        logger.notice("listening", metadata: metadata)
    }

    /// Drains the service: becomes unready, keeps serving for the configured delay, stops accepting, answers the requests that have begun,
    /// and ends and records the delivery attempts in progress. Server and dispatcher drain concurrently, each within the configured
    /// timeout.
    /// - Parameter wait: waits for the delay, or for another signal to stop.
    private func stop(after wait: (Duration) -> Void) {
        readiness.set(false)
        manager.notify("STOPPING=1", "STATUS=Draining")
        if configuration.drainDelay > .zero {
            logger.notice("not ready", metadata: ["drainsIn": "\(configuration.drainDelay.text)"])
            wait(configuration.drainDelay)
        }
        logger.notice("draining", metadata: ["within": "\(configuration.drainTimeout.text)"])
        scheduler.stop()
        pruning.stop()
        storeMonitor.stop()
        let isDrained = DispatchSemaphore(value: 0)
        let isClean = Atomic(true)
        NamedThread.start("lp-drain", isBackground: false) { [dispatcher, configuration] in
            isClean.store(dispatcher.drain(timeout: configuration.drainTimeout), ordering: .releasing)
            isDrained.signal()
        }
        let cutOff = server.drain(timeout: configuration.drainTimeout)
        taps.flush()
        tokenUses.flush()
        isDrained.wait()
        heartbeat?.stop()
        do throws(Failure) {
            try store.checkpoint()
        } catch {
            logger.warning("the write-ahead log was not merged into the database", metadata: ["cause": "\(error.cause ?? error.detail)"])
        }
        logger.notice(
            "stopped",
            metadata: [
                "connectionsCutOff": .stringConvertible(cutOff),
                "attemptsAbandoned": .stringConvertible(!isClean.load(ordering: .acquiring)),
            ])
        logWriter.flush()
    }
}

/// Whether the service accepts requests: false while it starts and drains.
final class Readiness: Sendable {
    private let isReady = Atomic(false)

    func set(_ value: Bool) { isReady.store(value, ordering: .releasing) }

    var value: Bool { isReady.load(ordering: .acquiring) }
}
