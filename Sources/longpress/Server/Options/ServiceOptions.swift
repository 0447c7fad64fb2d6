import ArgumentParser
import Foundation
import Service

/// The options of `serve` and `demo`: each `Setting` as a flag. All are text, which `ServiceConfiguration` parses.
struct ServiceOptions: ParsableArguments {
    @Option(help: "A JSON file with the options below, without their dashes.")
    var config: String?
    @Option(help: "Address of the client plane, and of the admin plane without --admin-listen (127.0.0.1:8080). Port 0 picks a port.")
    var listen: String?
    @Option(help: "Address of the admin plane.")
    var adminListen: String?
    @Option(help: "The database: a path, sqlite: and a path, or postgres://… (longpress.sqlite).")
    var database: String?
    @Option(help: "Maximum connections to PostgreSQL, 2 to 200 (8).")
    var databaseConnections: String?
    @Option(help: "Where to LISTEN if --database is a pooler in transaction mode: postgres://…, or none to only poll (as --database).")
    var databaseListen: String?
    @Option(help: "How often to poll PostgreSQL for changes of other nodes, in addition to LISTEN, 100ms to 2s (1s).")
    var databasePoll: String?
    @Option(help: "Name of this node (the host name and a random suffix).")
    var node: String?
    @Option(help: "A file whose first line is the password for PostgreSQL. Every command reads LONGPRESS_DATABASE_PASSWORD_FILE.")
    var databasePasswordFile: String?
    @Option(help: "An owner token to accept in addition to stored tokens, at least 32 characters.")
    var adminToken: String?
    @Option(help: "A file whose first line is the admin token.")
    var adminTokenFile: String?
    @Option(help: "Longest life of a stored token, such as 2160h. Older tokens are rejected (no limit).")
    var maxTokenAge: String?
    @Option(help: "A file whose first line is a key of 32 bytes, base64 or hexadecimal, that encrypts the secrets of webhooks.")
    var secretKeyFile: String?
    @Option(help: "The console for browsers, at /console/ of the admin plane: on or off (on).")
    var console: String?
    @Option(help: "Event loops (one per core).")
    var eventLoops: String?
    @Option(help: "Worker threads (four per core).")
    var workers: String?
    @Option(help: "Maximum open connections (20000, or what the limit of open files allows).")
    var maxConnections: String?
    @Option(help: "Maximum open connections per address; 0 for no limit (0).")
    var maxConnectionsPerAddress: String?
    @Option(help: "Maximum open streams of changes (10000).")
    var maxStreams: String?
    @Option(help: "Maximum open streams of changes per address; 0 for no limit (16).")
    var maxStreamsPerAddress: String?
    @Option(help: "Maximum releases per app; 0 for no limit (200).")
    var maxReleases: String?
    @Option(help: "Maximum sets per app, and as many drafts and schedule entries; 0 for no limit (5000).")
    var maxSets: String?
    @Option(help: "Maximum bytes of documents per app; 0KiB for no limit (64MiB).")
    var maxAppSize: String?
    @Option(help: "The header in which a proxy sends the person's address, such as X-Forwarded-Email.")
    var signInHeader: String?
    @Option(help: "The header in which the proxy sends the person's groups, such as X-Forwarded-Groups.")
    var signInGroupsHeader: String?
    @Option(help: "CIDR blocks of the proxies that may sign people in, separated by commas.")
    var signInProxies: String?
    @Option(help: "A JSON file with the roles of addresses and groups.")
    var signInRoles: String?
    @Option(help: "CIDR blocks of the proxies that send the client's address, separated by commas.")
    var trustedProxies: String?
    @Option(help: "Header of these proxies: x-forwarded (X-Forwarded-For, X-Forwarded-Proto) or forwarded (RFC 7239) (x-forwarded).")
    var forwardedHeader: String?
    @Option(help: "Memory for applies, imports, exports and lists of the admin plane (128MiB).")
    var adminBudget: String?
    @Option(help: "Maximum writes per second of a stored token; 0 for no limit (50).")
    var tokenWrites: String?
    @Option(name: .customLong("public-url"), help: "Base of the URLs in events.")
    var publicURL: String?
    @Option(help: "Host names that the admin plane and the console accept, separated by commas; * for all.")
    var allowedHosts: String?
    @Option(help: "How long a fetched menu stays fresh (60s).")
    var cacheMaxAge: String?
    @Option(help: "Memory for cached answers (256MiB).")
    var cacheBudget: String?
    @Option(help: "Memory for cached apps, which are served while the database cannot be read (64MiB).")
    var snapshotBudget: String?
    @Option(help: "How long a delivery waits until all nodes know the change, up to 60s (100ms with PostgreSQL, 0s with SQLite).")
    var firstAttemptGrace: String?
    @Option(help: "Delays before the attempts of a delivery (0s,5s,5m,30m,2h,5h,10h,14h,20h,24h).")
    var webhookSchedule: String?
    @Option(help: "Time for one attempt, from the DNS lookup to the last byte (15s).")
    var webhookTimeout: String?
    @Option(help: "Time to connect (5s).")
    var webhookConnectTimeout: String?
    @Option(help: "CIDR blocks exempt from the address guard, separated by commas, such as 127.0.0.1/32.")
    var webhookAllow: String?
    @Option(help: "How long an endpoint may fail continuously before it is disabled (120h).")
    var webhookDisableAfter: String?
    @Option(name: .customLong("webhook-ca"), help: "A PEM file of certificate authorities that webhooks trust in addition to the system's.")
    var webhookCA: String?
    @Flag(name: .customLong("webhook-https-only"), help: "Send webhooks only to https URLs.")
    var webhookHTTPSOnly = false
    @Option(help: "How long the audit keeps an entry, at least 24h (forever).")
    var auditRetention: String?
    @Option(help: "Time for a request's head (10s).")
    var headerTimeout: String?
    @Option(help: "Time for a request's body (30s).")
    var bodyTimeout: String?
    @Option(help: "How long a connection may be idle (75s).")
    var idleTimeout: String?
    @Option(help: "At a stop: how long to keep serving after /readyz answers 503 (0s).")
    var drainDelay: String?
    @Option(help: "At a stop: how long to wait for requests and attempts in progress (20s).")
    var drainTimeout: String?
    @Option(help: "trace, debug, info, notice, warning, error or critical (info).")
    var logLevel: String?
    @Option(help: "text or json (text).")
    var logFormat: String?

    /// The settings given as flags, in the environment and in the file.
    func values() throws -> SettingValues {
        SettingValues(flags: flags, environment: ProcessInfo.processInfo.environment, file: try file())
    }

    private var flags: [Setting: String] {
        let given: [(Setting, String?)] = [
            (.listen, listen), (.adminListen, adminListen), (.database, database), (.adminToken, adminToken), (.console, console),
            (.signInHeader, signInHeader), (.signInGroupsHeader, signInGroupsHeader), (.signInProxies, signInProxies),
            (.signInRoles, signInRoles), (.adminTokenFile, adminTokenFile), (.maxTokenAge, maxTokenAge),
            (.secretKeyFile, secretKeyFile),
            (.databasePasswordFile, databasePasswordFile),
            (.databaseConnections, databaseConnections), (.databaseListen, databaseListen), (.databasePoll, databasePoll),
            (.node, node), (.firstAttemptGrace, firstAttemptGrace), (.drainDelay, drainDelay),
            (.eventLoops, eventLoops), (.workers, workers), (.maxConnections, maxConnections),
            (.maxConnectionsPerAddress, maxConnectionsPerAddress), (.maxStreams, maxStreams),
            (.maxStreamsPerAddress, maxStreamsPerAddress), (.maxReleases, maxReleases), (.maxSets, maxSets),
            (.maxAppSize, maxAppSize), (.trustedProxies, trustedProxies), (.forwardedHeader, forwardedHeader),
            (.adminBudget, adminBudget), (.tokenWrites, tokenWrites), (.publicURL, publicURL), (.allowedHosts, allowedHosts),
            (.cacheMaxAge, cacheMaxAge),
            (.cacheBudget, cacheBudget), (.snapshotBudget, snapshotBudget),
            (.webhookSchedule, webhookSchedule), (.webhookTimeout, webhookTimeout),
            (.webhookConnectTimeout, webhookConnectTimeout), (.webhookAllow, webhookAllow), (.webhookCA, webhookCA),
            (.webhookHTTPSOnly, webhookHTTPSOnly ? "true" : nil),
            (.webhookDisableAfter, webhookDisableAfter), (.auditRetention, auditRetention), (.headerTimeout, headerTimeout),
            (.bodyTimeout, bodyTimeout),
            (.idleTimeout, idleTimeout), (.drainTimeout, drainTimeout), (.logLevel, logLevel), (.logFormat, logFormat),
        ]
        return Dictionary(uniqueKeysWithValues: given.compactMap { setting, value in value.map { (setting, $0) } })
    }

    private func file() throws -> [Setting: String] {
        guard let path = config ?? ProcessInfo.processInfo.environment[ConfigurationFile.environmentName] else { return [:] }
        return try ConfigurationFile.read(fileAt: path)
    }
}
