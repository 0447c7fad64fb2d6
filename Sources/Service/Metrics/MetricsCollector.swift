import API
import HTTPServer
import QuickActions
import Shortcuts
import Storage
import StorageSQLite
import Webhooks

/// Collects the metrics of `/metrics`.
struct MetricsCollector: Sendable {
    let metrics: Metrics
    let server: HTTPServer
    let store: Store
    let cache: SharedCache
    let adminBudget: AdminBudget
    let clock: any WallClock
    let startedAt: Timestamp
    let node: NodeName
    /// The path of the SQLite file; nil for PostgreSQL.
    let databasePath: String?
    let log: LogWriter
    let maxTokenAge: Duration?

    var prometheusText: String {
        var text = PrometheusText()
        text.gauge(
            "longpress_build_info", "Versions of the service and its libraries; always 1.",
            [([("version", Service.version), ("sqlite", SQLiteDatabase.libraryVersion), ("libcurl", Dispatcher.libcurlVersion)], 1)])
        text.gauge("longpress_node_info", "Name of this node; always 1.", [([("node", "\(node)")], 1)])
        describeRequests(&text)
        text.counter(
            "longpress_token_refusals_total", "Requests whose token was rejected, by reason.",
            TokenRefusal.allCases.map { ([("reason", $0.rawValue)], metrics.tokenRefusals[$0]?.value ?? 0) })
        text.counter(
            "longpress_taps_total", "Taps that the service counted, by outcome.",
            TapOutcome.allCases.map { ([("outcome", $0.rawValue)], metrics.taps[$0]?.value ?? 0) })
        text.counter(
            "longpress_taps_with_values_total", "Taps whose body had values of a personal item, which were ignored.",
            [([], metrics.ignoredValues.value)])
        text.counter(
            "longpress_schedules_failed_total", "Schedule entries that failed.",
            [([], metrics.failedSchedules.value)])
        text.counter(
            "longpress_rollouts_stopped_total", "Roll-outs that their guards stopped.",
            [([], metrics.stoppedRollouts.value)])
        text.counter(
            "longpress_unreadable_rows_total", "Database rows that could not be read and were skipped.",
            [([], metrics.unreadableRows.value)])
        describeOutbox(&text)
        describeStore(&text)
        if let statistics = store.databaseStatistics { text.describe(statistics) }
        text.gauge("longpress_store_writable", "1 while the database accepts writes, otherwise 0.", store.writeError == nil ? 1 : 0)
        text.gauge("longpress_open_connections", "Open connections.", Double(server.openConnections))
        text.gauge("longpress_max_connections", "Limit of open connections.", Double(server.maxConnections))
        text.gauge("longpress_streams", "Open streams of changes.", Double(server.openStreams))
        text.gauge("longpress_max_streams", "Limit of open streams of changes.", Double(server.maxStreams))
        text.counter("longpress_log_lines_lost_total", "Log lines lost to a slow reader of the log.", [([], log.lostLines.value)])
        text.counter(
            "longpress_stream_events_total", "Events sent to streams, counted once per stream.",
            [([], metrics.streamedEvents.value)])
        text.counter(
            "longpress_streams_closed_total", "Streams that ended, by reason.",
            StreamEnd.allCases.map { ([("reason", $0.rawValue)], metrics.endedStreams[$0]?.value ?? 0) })
        text.gauge("longpress_worker_queue_depth", "Requests that wait for a worker.", Double(server.workerQueueDepth))
        describeFiles(&text)
        text.gauge("longpress_admin_budget_bytes", "Reserved memory of --admin-budget.", Double(adminBudget.used))
        text.gauge("longpress_admin_budget_waiting", "Requests that wait for memory of --admin-budget.", Double(adminBudget.waiting))
        text.gauge("process_resident_memory_bytes", "Resident memory.", Double(Machine.residentBytes))
        text.gauge("process_open_fds", "Open file descriptors.", Double(Machine.openDescriptors))
        text.gauge("process_max_fds", "Limit of open file descriptors.", Double(Machine.descriptorLimit))
        text.gauge("process_start_time_seconds", "Start of the process, as Unix time.", Double(startedAt.milliseconds) / 1000)
        return text.text
    }

    private func describeRequests(_ text: inout PrometheusText) {
        let loops = metrics.fetches
        var counts = metrics.requests.all
        for (route, answers) in [
            (ClientRoutes.shortcutsName, loops.menus), (ClientRoutes.continuityName, loops.continuities),
            (ClientRoutes.bundleName, loops.bundles),
        ] where answers.total > 0 {
            counts[.init(name: route, result: "200"), default: 0] += answers.ok.value
            counts[.init(name: route, result: "304"), default: 0] += answers.notModified.value
        }
        text.counter(
            "longpress_http_requests_total", "Requests by route and status.",
            counts.sorted { $0.key < $1.key }.map { ([("route", $0.key.name), ("status", $0.key.result)], $0.value) })
        text.histogram("longpress_http_request_duration_seconds", "Time from the head of a request to its answer.", loops.latency)
        let fetches = counts.filter { $0.key.name == ClientRoutes.shortcutsName }.reduce(0) { $0 + $1.value }
        text.counter("longpress_cache_hits_total", "Fetches answered from the cache of an event loop.", [([], loops.menus.total)])
        text.counter("longpress_cache_misses_total", "Fetches that a worker answered.", [([], fetches - loops.menus.total)])
        text.gauge("longpress_cache_bytes", "Size of the cached answers.", Double(cache.byteCount))
        text.gauge("longpress_snapshot_bytes", "Size of the cached apps.", Double(store.snapshotByteCount))
    }

    /// The files of a SQLite database. The metric of a missing file has no value.
    private func describeFiles(_ text: inout PrometheusText) {
        guard let databasePath else { return }
        text.gauge(
            "longpress_database_wal_bytes", "Size of the write-ahead log.",
            Double(Machine.file(at: databasePath + "-wal")?.bytes ?? 0))
        if let free = Machine.freeBytes(at: databasePath) {
            text.gauge("longpress_database_free_bytes", "Free space in the file system of the database.", Double(free))
        }
        if let mark = Machine.file(at: DatabaseName.backupMark(of: databasePath)) {
            text.gauge(
                "longpress_last_backup_timestamp_seconds", "Start of the last `longpress backup`, as Unix time.", Double(mark.changedAt))
        }
    }

    private func describeOutbox(_ text: inout PrometheusText) {
        text.counter(
            "longpress_webhook_attempts_total", "Webhook attempts by outcome.",
            AttemptReport.Outcome.allCases.map { ([("outcome", $0.rawValue)], metrics.attempts[$0]?.value ?? 0) })
        text.histogram("longpress_webhook_attempt_duration_seconds", "Duration of webhook attempts.", metrics.attemptLatency)
        text.counter(
            "longpress_deliveries_exhausted_total", "Deliveries that are no longer retried automatically.",
            [([], metrics.exhaustedDeliveries.value)])
    }

    /// Metrics from the store. If the store does not answer once, it is not asked for the other metrics.
    private func describeStore(_ text: inout PrometheusText) {
        guard let disabled = try? store.disabledEndpoints() else { return }
        text.gauge(
            "longpress_endpoints_disabled", "Disabled webhook endpoints, by reason.",
            Endpoint.DisabledReason.allCases.map { ([("reason", $0.rawValue)], Double(disabled[$0] ?? 0)) })
        guard let quarantined = try? store.quarantined() else { return }
        text.gauge(
            "longpress_quarantined", "Quarantined schedule entries and deliveries, which failed and wait for an operator.",
            QuarantinedEntry.Kind.allCases.map { ([("kind", $0.rawValue)], Double(quarantined[$0] ?? 0)) })
        guard let rollouts = try? store.runningRollouts() else { return }
        text.gauge("longpress_rollouts_running", "Running roll-outs.", Double(rollouts))
        guard let expiring = try? store.expiringTokens(at: clock.now(), maxAge: maxTokenAge) else { return }
        text.gauge("longpress_tokens_expiring", "Tokens that expire within 7 days and were valid for longer than that.", Double(expiring))
        guard let nodes = try? store.nodes() else { return }
        text.gauge("longpress_nodes", "Live nodes that share the database.", Double(nodes.count))
        let offset = nodes.first { $0.name == "\(node)" }?.clockOffsetMilliseconds ?? 0
        text.gauge("longpress_clock_offset_seconds", "How far this machine's clock is ahead of the database's.", Double(offset) / 1000)
        guard let backlog = try? store.backlog() else { return }
        let age = backlog.oldest.map { max(0, clock.now().milliseconds - $0.milliseconds) } ?? 0
        text.gauge("longpress_outbox_depth", "Pending deliveries.", Double(backlog.pending))
        text.gauge("longpress_outbox_oldest_seconds", "Age of the oldest pending delivery.", Double(age) / 1000)
        guard let held = try? store.heldEndpoints(), let bytes = try? store.databaseByteCount() else { return }
        text.gauge(
            "longpress_endpoints_held", "Webhook endpoints that asked for a pause (429 or 503 with Retry-After).",
            Double(held))
        text.gauge("longpress_database_bytes", "Size of the database, with its indexes, without logs.", Double(bytes))
    }
}
