import HTTP
import HTTPServer
import Logging
import Platform
import QuickActions
import Shortcuts
import Webhooks

/// The settings of the service. Each is a flag (`--listen`), an environment variable (`LONGPRESS_LISTEN`) and a key of the configuration
/// file (`"listen"`), in this order of precedence.
package enum Setting: CaseIterable, Sendable {
    case listen, adminListen, database, databaseConnections, databaseListen, databasePoll, node, databasePasswordFile
    case adminToken, adminTokenFile, maxTokenAge, secretKeyFile, console, eventLoops, workers
    case maxConnections, maxConnectionsPerAddress, maxStreams, maxStreamsPerAddress, maxReleases, maxSets, maxAppSize
    case signInHeader, signInGroupsHeader, signInProxies, signInRoles, trustedProxies, forwardedHeader
    case adminBudget, tokenWrites, publicURL, allowedHosts, cacheMaxAge, cacheBudget, snapshotBudget, firstAttemptGrace
    case webhookSchedule, webhookTimeout, webhookConnectTimeout, webhookAllow, webhookDisableAfter, webhookCA, webhookHTTPSOnly
    case auditRetention, headerTimeout, bodyTimeout, idleTimeout, drainDelay, drainTimeout, logLevel, logFormat

    /// The table of the settings: name, help with the default in parentheses, the value in the configuration, and how a text is parsed.
    /// `ServiceConfiguration` has the default values. It reads the settings without a value here together with others.
    private var row: Row {
        switch self {
        case .listen:
            Row(
                "listen",
                "Address of the client plane, and of the admin plane without --admin-listen (127.0.0.1:8080). Port 0 picks a port.",
                \.listen, valid("an address such as 127.0.0.1:8080") { SocketAddress($0) })
        case .adminListen:
            Row(
                "admin-listen", "Address of the admin plane.",
                optional: \.adminListen, valid("an address such as 127.0.0.1:8081") { SocketAddress($0) })
        case .database: Row("database", "The database: a path, sqlite: and a path, or postgres://… (longpress.sqlite).")
        case .databaseConnections:
            Row("database-connections", "Maximum connections to PostgreSQL, 2 to 200 (8).", \.postgres.connections, number(2...200))
        case .databaseListen:
            Row(
                "database-listen",
                "Database for LISTEN if --database is a pooler in transaction mode: postgres://…, or none to poll only (as --database).",
                \.postgres.listening, { text throws(TextError) in try ChangeListening(text) })
        case .databasePoll:
            Row(
                "database-poll", "How often to poll PostgreSQL for changes of other nodes, in addition to LISTEN, 100ms to 2s (1s).",
                \.postgres.pollInterval, duration("from 100ms to 2s", .milliseconds(100) ... .seconds(2)))
        case .node: Row("node", "Name of this node (the host name and a random suffix).", \.node, valid(NodeName.rule) { NodeName($0) })
        case .databasePasswordFile:
            Row(
                "database-password-file",
                "A file whose first line is the password for PostgreSQL. Every command reads LONGPRESS_DATABASE_PASSWORD_FILE.")
        case .adminToken: Row("admin-token", "An owner token to accept in addition to stored tokens, at least 32 characters.")
        case .adminTokenFile: Row("admin-token-file", "A file whose first line is the admin token.")
        case .maxTokenAge:
            Row(
                "max-token-age", "Longest life of a stored token, such as 2160h. Older tokens are rejected (no limit).",
                optional: \.maxTokenAge, duration("of at least 1h, such as 2160h", .seconds(3600) ... .seconds(36_500 * 86_400)))
        case .secretKeyFile:
            Row(
                "secret-key-file",
                "A file whose first line is a key of 32 bytes, base64 or hexadecimal, that encrypts the secrets of webhooks.",
                optional: \.keyAtRest, { path throws(TextError) in try SecretKey(file: path) })
        case .console:
            Row(
                "console", "The console for browsers, at /console/ of the admin plane: on or off (on).",
                \.hasConsole, valid("on or off") { ["on": true, "off": false][$0] })
        case .eventLoops: Row("event-loops", "Event loops (one per core).", \.server.eventLoops, number(1...256))
        case .workers: Row("workers", "Worker threads (four per core).", \.server.workers, number(1...1024))
        case .maxConnections:
            Row(
                "max-connections", "Maximum open connections (20000, or what the limit of open files allows).",
                \.server.maxConnections, number(1...1_000_000))
        case .maxConnectionsPerAddress:
            Row(
                "max-connections-per-address", "Maximum open connections per address; 0 for no limit (0).",
                \.server.maxConnectionsPerAddress, number(0...1_000_000))
        case .maxStreams: Row("max-streams", "Maximum open streams of changes (10000).", \.server.maxStreams, number(0...1_000_000))
        case .maxStreamsPerAddress:
            Row(
                "max-streams-per-address", "Maximum open streams of changes per address; 0 for no limit (16).",
                \.server.maxStreamsPerAddress, number(0...1_000_000))
        case .maxReleases: Row("max-releases", "Maximum releases per app; 0 for no limit (200).", \.quota.releases, number(0...1_000_000))
        case .maxSets:
            Row(
                "max-sets", "Maximum sets per app; drafts and schedule entries have the same limit; 0 for no limit (5000).",
                \.quota.sets, number(0...1_000_000))
        case .maxAppSize:
            Row(
                "max-app-size", "Maximum bytes of documents per app; 0KiB for no limit (64MiB).",
                \.quota.bytes, byteCount)
        case .signInHeader: Row("sign-in-header", "The header in which a proxy sends the person's address, such as X-Forwarded-Email.")
        case .signInGroupsHeader:
            Row("sign-in-groups-header", "The header in which the proxy sends the person's groups, such as X-Forwarded-Groups.")
        case .signInProxies: Row("sign-in-proxies", "CIDR blocks of the proxies that may sign people in, separated by commas.")
        case .signInRoles: Row("sign-in-roles", "A JSON file with the roles of addresses and groups.")
        case .trustedProxies:
            Row(
                "trusted-proxies", "CIDR blocks of the proxies that send the client's address, separated by commas.",
                \.server.proxies.blocks, { text throws(TextError) in try AddressBlock.blocks(parsing: text) })
        case .forwardedHeader:
            Row(
                "forwarded-header",
                "Header of these proxies: x-forwarded (X-Forwarded-For, X-Forwarded-Proto) or forwarded (RFC 7239) (x-forwarded).",
                \.server.proxies.field, valid("x-forwarded or forwarded") { TrustedProxies.Field(rawValue: $0) })
        case .adminBudget:
            Row("admin-budget", "Memory for applies, imports, exports and lists of the admin plane (128MiB).", \.adminBudget, byteCount)
        case .tokenWrites:
            Row("token-writes", "Maximum writes per second of a stored token; 0 for no limit (50).", \.tokenWrites, number(0...10_000))
        case .publicURL:
            Row(
                "public-url", "Base of the URLs in events.", optional: \.publicURL,
                valid("an http or https URL") { isWebURL($0) ? $0 : nil })
        case .allowedHosts:
            Row(
                "allowed-hosts", "Host names that the admin plane and the console accept, separated by commas; * for all.",
                \.allowedHosts, valid("host names without ports, separated by commas, or *", parseHostNames))
        case .cacheMaxAge: Row("cache-max-age", "How long a fetched menu stays fresh (60s).", \.cacheMaxAge, duration)
        case .cacheBudget: Row("cache-budget", "Memory for cached answers (256MiB).", \.cacheBudget, byteCount)
        case .snapshotBudget:
            Row(
                "snapshot-budget", "Memory for cached apps, which are served while the database cannot be read (64MiB).",
                \.snapshotBudget, byteCount)
        case .firstAttemptGrace:
            Row(
                "first-attempt-grace",
                "How long a delivery waits until all nodes know the change, up to 60s (100ms with PostgreSQL, 0s with SQLite).",
                optional: \.firstAttemptGrace, duration("from 0s to 60s", .zero ... .seconds(60)))
        case .webhookSchedule:
            Row(
                "webhook-schedule", "Delays before the attempts of a delivery (0s,5s,5m,30m,2h,5h,10h,14h,20h,24h).",
                \.webhooks.schedule, { text throws(TextError) in try RetrySchedule(parsing: text) })
        case .webhookTimeout:
            Row("webhook-timeout", "Time for one attempt, from the DNS lookup to the last byte (15s).", \.webhooks.timeout, duration)
        case .webhookConnectTimeout: Row("webhook-connect-timeout", "Time to connect (5s).", \.webhooks.connectTimeout, duration)
        case .webhookAllow:
            Row(
                "webhook-allow", "CIDR blocks exempt from the address guard, separated by commas, such as 127.0.0.1/32.",
                \.webhooks.addressGuard, { text throws(TextError) in try AddressGuard(allowing: text) })
        case .webhookDisableAfter:
            Row(
                "webhook-disable-after", "How long an endpoint may fail continuously before it is disabled (120h).",
                \.webhooks.disableAfter, duration)
        case .webhookCA:
            Row(
                "webhook-ca", "A PEM file of certificate authorities that webhooks trust in addition to the system's.",
                \.webhooks.authorities, certificates(inFileAt:))
        case .webhookHTTPSOnly:
            Row("webhook-https-only", "Send webhooks only to https URLs.", \.webhooks.httpsOnly, valid("true or false") { Bool($0) })
        case .auditRetention:
            Row(
                "audit-retention", "How long the audit keeps an entry, at least 24h (forever).",
                optional: \.retention.audit,
                duration("of at least 24h, such as 8760h", .seconds(24 * 3600) ... .seconds(100 * 366 * 24 * 3600)))
        case .headerTimeout: Row("header-timeout", "Time for a request's head (10s).", \.server.headerTimeout, duration)
        case .bodyTimeout: Row("body-timeout", "Time for a request's body (30s).", \.server.bodyTimeout, duration)
        case .idleTimeout: Row("idle-timeout", "How long a connection may be idle (75s).", \.server.idleTimeout, duration)
        case .drainDelay:
            Row("drain-delay", "At a stop: how long to keep serving after /readyz answers 503 (0s).", \.drainDelay, duration)
        case .drainTimeout:
            Row(
                "drain-timeout", "At a stop: how long to wait for requests and attempts in progress (20s).", \.drainTimeout, duration)
        case .logLevel:
            Row(
                "log-level", "trace, debug, info, notice, warning, error or critical (info).",
                \.logLevel, valid("trace, debug, info, notice, warning, error or critical") { Logger.Level(rawValue: $0) })
        case .logFormat:
            Row("log-format", "text or json (text).", \.logFormat, valid("text or json") { LineLogHandler.Format(rawValue: $0) })
        }
    }

    package init?(name: String) {
        guard let setting = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = setting
    }

    package var name: String { row.name }

    package var help: String { row.help }

    package var environmentName: String {
        "LONGPRESS_" + name.uppercased().replacing("-", with: "_")
    }

    /// Whether the flag has no value.
    package var isSwitch: Bool { self == .webhookHTTPSOnly }

    var isSecret: Bool { self == .adminToken }

    /// Parses the text and sets the value; see `row`.
    func read(_ text: String, into configuration: inout ServiceConfiguration) throws(TextError) {
        try row.read(text, &configuration)
    }
}

private struct Row {
    let name: String
    let help: String
    let read: (String, inout ServiceConfiguration) throws(TextError) -> Void

    init(_ name: String, _ help: String) {
        (self.name, self.help) = (name, help)
        read = { _, _ in }
    }

    init<Value>(
        _ name: String, _ help: String, _ value: WritableKeyPath<ServiceConfiguration, Value>, _ parse: @escaping Parser<Value>
    ) {
        (self.name, self.help) = (name, help)
        read = { text, configuration throws(TextError) in configuration[keyPath: value] = try parse(text) }
    }

    /// For a setting without a default.
    init<Value>(
        _ name: String, _ help: String, optional value: WritableKeyPath<ServiceConfiguration, Value?>, _ parse: @escaping Parser<Value>
    ) {
        (self.name, self.help) = (name, help)
        read = { text, configuration throws(TextError) in configuration[keyPath: value] = try parse(text) }
    }
}

/// Parses the text of a setting, or throws a sentence.
private typealias Parser<Value> = (String) throws(TextError) -> Value

/// - Parameter rule: describes a valid value, as the end of a sentence.
private func valid<Value>(_ rule: String, _ parse: @escaping (String) -> Value?) -> Parser<Value> {
    { text throws(TextError) in
        guard let value = parse(text) else { throw TextError("\(quoted(text.withoutCredentials)) is not \(rule).") }
        return value
    }
}

private func number(_ range: ClosedRange<Int>) -> Parser<Int> {
    valid("a number from \(range.lowerBound) to \(range.upperBound)") { Int($0).flatMap { range.contains($0) ? $0 : nil } }
}

private var duration: Parser<Duration> {
    valid("a duration: a whole number with ms, s, m or h, such as 50ms, 15s or 2h") { Duration(text: $0) }
}

private func duration(_ bounds: String, _ range: ClosedRange<Duration>) -> Parser<Duration> {
    valid("a duration \(bounds)") { Duration(text: $0).flatMap { range.contains($0) ? $0 : nil } }
}

private var byteCount: Parser<Int> {
    valid("an amount of memory: a whole number with KiB, MiB or GiB, such as 64MiB") { text in
        let units = ["KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30]
        let digits = text.dropLast(3)
        guard let unit = units[String(text.suffix(3))], digits.utf8.allSatisfy(\.isASCIIDigit), let number = Int(digits) else { return nil }
        let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: unit)
        return isTooLarge ? nil : bytes
    }
}

private func parseHostNames(_ text: String) -> [String]? {
    let names = text.split(separator: ",", omittingEmptySubsequences: false).map { String(String($0).trimmingBlanks) }
    let isValid = names.allSatisfy { name in
        name == "*" || !name.isEmpty && name.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || [0x2D, 0x2E, 0x5F].contains($0) }
    }
    return isValid ? names : nil
}

private func isWebURL(_ text: String) -> Bool {
    ["http://", "https://"].contains { text.hasPrefix($0) && text.count > $0.count }
}

/// The bytes of a file with a PEM certificate. Without this check, libcurl would report a missing certificate only at each attempt.
private func certificates(inFileAt path: String) throws(TextError) -> [UInt8] {
    let bytes: [UInt8]
    do throws(FileError) {
        bytes = try FileBytes.read(path, atMost: 16 << 20)
    } catch {
        throw TextError("\(error) Use a PEM file of certificate authorities.")
    }
    guard String(decoding: bytes, as: UTF8.self).contains("-----BEGIN CERTIFICATE-----") else {
        throw TextError(
            "\(quoted(path.withoutCredentials)) has no certificate. Use a PEM file, which contains -----BEGIN CERTIFICATE-----.")
    }
    return bytes
}
