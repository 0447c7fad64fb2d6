import ArgumentParser
import Foundation
import Service

/// The options of `serve` and `demo`: each `Setting` as a flag. All are text, which `ServiceConfiguration` parses.
struct ServiceOptions: ParsableArguments {
    @Option(help: "A JSON file of the options below, without their dashes.")
    var config: String?
    @Option(help: "Address of the client plane, and of the admin plane unless it is moved (127.0.0.1:8080). Port 0 picks one.")
    var listen: String?
    @Option(help: "Address of the admin plane.")
    var adminListen: String?
    @Option(help: "The database: a path, sqlite: and a path, or postgres://… (longpress.sqlite).")
    var database: String?
    @Option(help: "Connections to PostgreSQL at a time, 2 to 200 (8).")
    var databaseConnections: String?
    @Option(help: "Where to LISTEN if --database is a pooler in transaction mode: postgres://…, or none to poll only (as --database).")
    var databaseListen: String?
    @Option(help: "How often to ask PostgreSQL for changes of other nodes besides being told, 100ms to 2s (1s).")
    var databasePoll: String?
    @Option(help: "This process's name among those that share the database (the host's name and a random suffix).")
    var node: String?
    @Option(help: "A file whose first line is the password for PostgreSQL. Every command reads LONGPRESS_DATABASE_PASSWORD_FILE.")
    var databasePasswordFile: String?
    @Option(help: "An owner token to accept besides the stored ones, at least 32 characters.")
    var adminToken: String?
    @Option(help: "A file whose first line is the admin token.")
    var adminTokenFile: String?
    @Option(help: "The longest life of a stored token, such as 2160h. Older tokens are refused (no limit).")
    var maxTokenAge: String?
    @Option(help: "A file whose first line is a key of 32 bytes, base64 or hexadecimal, that encrypts the secrets of webhooks.")
    var secretKeyFile: String?
    @Option(help: "The console for browsers, at /console/ of the admin plane: on or off (on).")
    var console: String?
    @Option(help: "Event loops (one a core).")
    var eventLoops: String?
    @Option(help: "Worker threads (four a core).")
    var workers: String?
    @Option(help: "Connections at a time (20000, or what the limit of open files allows).")
    var maxConnections: String?
    @Option(help: "Connections at a time of one address; 0 for no limit (0).")
    var maxConnectionsPerAddress: String?
    @Option(help: "Streams of changes at a time (10000).")
    var maxStreams: String?
    @Option(help: "Streams of changes at a time of one address; 0 for no limit (16).")
    var maxStreamsPerAddress: String?
    @Option(help: "Releases of one app; 0 for no limit (200).")
    var maxReleases: String?
    @Option(help: "Sets of one app, and as many drafts and entries of its schedule; 0 for no limit (5000).")
    var maxSets: String?
    @Option(help: "Documents of one app; 0KiB for no limit (64MiB).")
    var maxAppSize: String?
    @Option(help: "The header in which a proxy says who signs in, such as X-Forwarded-Email.")
    var signInHeader: String?
    @Option(help: "The header in which it names the person's groups, such as X-Forwarded-Groups.")
    var signInGroupsHeader: String?
    @Option(help: "CIDR blocks of the proxies that may say who signs in, separated by commas.")
    var signInProxies: String?
    @Option(help: "A JSON file of the roles that addresses and groups have.")
    var signInRoles: String?
    @Option(help: "CIDR blocks of the proxies that may say a client's address, separated by commas.")
    var trustedProxies: String?
    @Option(help: "What they say it in: x-forwarded (X-Forwarded-For, X-Forwarded-Proto) or forwarded (RFC 7239) (x-forwarded).")
    var forwardedHeader: String?
    @Option(help: "Memory for applies, imports, exports and lists of the admin plane (128MiB).")
    var adminBudget: String?
    @Option(help: "Writes a second of each stored token; 0 for no limit (50).")
    var tokenWrites: String?
    @Option(name: .customLong("public-url"), help: "Base of the URLs that are put into events.")
    var publicURL: String?
    @Option(help: "Host names, separated by commas, by which the admin plane and the console may be addressed; * for every host.")
    var allowedHosts: String?
    @Option(help: "How long fetched menus are fresh (60s).")
    var cacheMaxAge: String?
    @Option(help: "Memory for cached answers (256MiB).")
    var cacheBudget: String?
    @Option(help: "Memory for apps that were read, which are served while the store cannot be read (64MiB).")
    var snapshotBudget: String?
    @Option(help: "How long a delivery waits, so that every node knows of the change, up to 60s (100ms with PostgreSQL, 0s with SQLite).")
    var firstAttemptGrace: String?
    @Option(help: "Delays before the attempts of a delivery (0s,5s,5m,30m,2h,5h,10h,14h,20h,24h).")
    var webhookSchedule: String?
    @Option(help: "Time for one attempt, from the name look-up to the last byte (15s).")
    var webhookTimeout: String?
    @Option(help: "Time to connect (5s).")
    var webhookConnectTimeout: String?
    @Option(help: "CIDR blocks exempt from the address guard, separated by commas, such as 127.0.0.1/32.")
    var webhookAllow: String?
    @Option(help: "How long an endpoint may do nothing but fail before it is disabled (120h).")
    var webhookDisableAfter: String?
    @Option(name: .customLong("webhook-ca"), help: "A PEM file of authorities that webhooks trust beside the system's.")
    var webhookCA: String?
    @Flag(name: .customLong("webhook-https-only"), help: "Send webhooks to https URLs only.")
    var webhookHTTPSOnly = false
    @Option(help: "How long the audit keeps an entry, at least 24h (for ever).")
    var auditRetention: String?
    @Option(help: "Time for a request's head (10s).")
    var headerTimeout: String?
    @Option(help: "Time for a request's body (30s).")
    var bodyTimeout: String?
    @Option(help: "How long a connection may be idle (75s).")
    var idleTimeout: String?
    @Option(help: "How long a stop serves on after /readyz has become 503 (0s).")
    var drainDelay: String?
    @Option(help: "How long a stop waits for what has begun (20s).")
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
