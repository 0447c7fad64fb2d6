import API
import HTTPServer
import QuickActions
import Shortcuts
import Storage
import StorageSQLite
import Webhooks

/// Collects everything that `/metrics` exposes.
struct MetricsCollector: Sendable {
    let metrics: Metrics
    let server: HTTPServer
    let store: Store
    let cache: SharedCache
    let adminBudget: AdminBudget
    let clock: any WallClock
    let startedAt: Timestamp
    let node: NodeName
    /// Of the database's file; nil if the database is not one.
    let databasePath: String?
    let log: LogWriter
    let maxTokenAge: Duration?

    var prometheusText: String {
        var text = PrometheusText()
        text.gauge(
            "longpress_build_info", "What is running; always 1.",
            [([("version", Service.version), ("sqlite", SQLiteDatabase.libraryVersion), ("libcurl", Dispatcher.libcurlVersion)], 1)])
        text.gauge("longpress_node_info", "This process among those that share the database; always 1.", [([("node", "\(node)")], 1)])
        describeRequests(&text)
        text.counter(
            "longpress_token_refusals_total", "Requests turned away for their token: missing, unknown, expired, or forbidden to do this.",
            TokenRefusal.allCases.map { ([("reason", $0.rawValue)], metrics.tokenRefusals[$0]?.value ?? 0) })
        text.counter(
            "longpress_taps_total", "Taps by outcome.",
            TapOutcome.allCases.map { ([("outcome", $0.rawValue)], metrics.taps[$0]?.value ?? 0) })
        text.counter(
            "longpress_schedules_failed_total", "Drafts that could not be published when they were due.",
            [([], metrics.failedSchedules.value)])
        text.counter(
            "longpress_unreadable_rows_total", "Rows of the database that could not be read and were passed over.",
            [([], metrics.unreadableRows.value)])
        describeOutbox(&text)
        describeStore(&text)
        if let statistics = store.databaseStatistics { text.describe(statistics) }
        text.gauge("longpress_store_writable", "Whether writes to the store can be had.", store.writeObstacle == nil ? 1 : 0)
        text.gauge("longpress_open_connections", "Connections that are open.", Double(server.openConnections))
        text.gauge("longpress_max_connections", "Connections that may be open.", Double(server.maxConnections))
        text.gauge("longpress_streams", "Streams of changes that are open.", Double(server.openStreams))
        text.gauge("longpress_max_streams", "Streams of changes that may be open.", Double(server.maxStreams))
        text.counter("longpress_log_lines_lost_total", "Lines that the log's reader was too slow for.", [([], log.lostLines.value)])
        text.counter(
            "longpress_stream_events_total", "Events sent to streams, each counted once for each stream.",
            [([], metrics.streamedEvents.value)])
        text.counter(
            "longpress_streams_closed_total", "Streams that ended, by reason.",
            StreamEnd.allCases.map { ([("reason", $0.rawValue)], metrics.endedStreams[$0]?.value ?? 0) })
        text.gauge("longpress_worker_queue_depth", "Requests that wait for a worker.", Double(server.workerQueueDepth))
        describeFiles(&text)
        text.gauge("longpress_admin_budget_bytes", "Memory of --admin-budget that is reserved.", Double(adminBudget.used))
        text.gauge("longpress_admin_budget_waiting", "Requests that wait for memory of --admin-budget.", Double(adminBudget.waiting))
        text.gauge("process_resident_memory_bytes", "Resident memory.", Double(Machine.residentBytes))
        text.gauge("process_open_fds", "Open file descriptors.", Double(Machine.openDescriptors))
        text.gauge("process_max_fds", "File descriptors that may be open.", Double(Machine.descriptorLimit))
        text.gauge("process_start_time_seconds", "Start of the process since 1970.", Double(startedAt.milliseconds) / 1000)
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
        text.histogram("longpress_http_request_duration_seconds", "From the request's head to its answer.", loops.latency)
        let fetches = counts.filter { $0.key.name == ClientRoutes.shortcutsName }.reduce(0) { $0 + $1.value }
        text.counter("longpress_cache_hits_total", "Fetches answered from memory.", [([], loops.menus.total)])
        text.counter("longpress_cache_misses_total", "Fetches that went to a worker.", [([], fetches - loops.menus.total)])
        text.gauge("longpress_cache_bytes", "Rendered answers that are kept.", Double(cache.byteCount))
        text.gauge("longpress_snapshot_bytes", "Apps that were read and are kept.", Double(store.snapshotByteCount))
    }

    /// The database's files, where it has some of its own. A metric whose file is not there has no value.
    private func describeFiles(_ text: inout PrometheusText) {
        guard let databasePath else { return }
        text.gauge(
            "longpress_database_wal_bytes", "Size of the write-ahead log beside the database.",
            Double(Machine.file(at: databasePath + "-wal")?.bytes ?? 0))
        if let free = Machine.freeBytes(at: databasePath) {
            text.gauge("longpress_database_free_bytes", "Free space in the file system of the database.", Double(free))
        }
        if let mark = Machine.file(at: DatabaseName.backupMark(of: databasePath)) {
            text.gauge(
                "longpress_last_backup_timestamp_seconds", "Start of the last `longpress backup` since 1970.", Double(mark.changedAt))
        }
    }

    private func describeOutbox(_ text: inout PrometheusText) {
        text.counter(
            "longpress_webhook_attempts_total", "Webhook attempts by outcome.",
            AttemptReport.Outcome.allCases.map { ([("outcome", $0.rawValue)], metrics.attempts[$0]?.value ?? 0) })
        text.histogram("longpress_webhook_attempt_duration_seconds", "How long attempts took.", metrics.attemptLatency)
        text.counter(
            "longpress_deliveries_exhausted_total", "Deliveries that are not attempted again by themselves.",
            [([], metrics.exhaustedDeliveries.value)])
    }

    /// What the store is asked for. Where it does not answer, it is asked once and not for each metric.
    private func describeStore(_ text: inout PrometheusText) {
        guard let disabled = try? store.disabledEndpoints() else { return }
        text.gauge(
            "longpress_endpoints_disabled", "Webhook endpoints that are disabled, by reason.",
            Endpoint.DisabledReason.allCases.map { ([("reason", $0.rawValue)], Double(disabled[$0] ?? 0)) })
        guard let quarantined = try? store.quarantined() else { return }
        text.gauge(
            "longpress_quarantined", "Entries of the schedule and deliveries that could not be read or done and wait for a person.",
            QuarantinedEntry.Kind.allCases.map { ([("kind", $0.rawValue)], Double(quarantined[$0] ?? 0)) })
        guard let expiring = try? store.expiringTokens(at: clock.now(), maxAge: maxTokenAge) else { return }
        text.gauge("longpress_tokens_expiring", "Tokens that expire within 7 days and were made for longer than that.", Double(expiring))
        guard let nodes = try? store.nodes() else { return }
        text.gauge("longpress_nodes", "Nodes that share the database and live.", Double(nodes.count))
        let offset = nodes.first { $0.name == "\(node)" }?.clockOffsetMilliseconds ?? 0
        text.gauge("longpress_clock_offset_seconds", "How far this machine's clock is ahead of the database's.", Double(offset) / 1000)
        guard let backlog = try? store.backlog() else { return }
        let age = backlog.oldest.map { max(0, clock.now().milliseconds - $0.milliseconds) } ?? 0
        text.gauge("longpress_outbox_depth", "Deliveries that are pending.", Double(backlog.pending))
        text.gauge("longpress_outbox_oldest_seconds", "Age of the oldest pending delivery.", Double(age) / 1000)
        guard let held = try? store.heldEndpoints(), let bytes = try? store.databaseByteCount() else { return }
        text.gauge(
            "longpress_endpoints_held", "Webhook endpoints that asked to be sent nothing for a while (429 or 503 with Retry-After).",
            Double(held))
        text.gauge("longpress_database_bytes", "Size of the database, with its indexes, without logs.", Double(bytes))
    }
}
