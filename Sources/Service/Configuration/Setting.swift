/// The settings of the service. Each is a flag (`--listen`), an environment variable (`LONGPRESS_LISTEN`) and a key of the configuration
/// file (`"listen"`), in this order of precedence.
package enum Setting: String, CaseIterable, Sendable {
    case listen
    case adminListen = "admin-listen"
    case database
    case databaseConnections = "database-connections"
    case databaseListen = "database-listen"
    case databasePoll = "database-poll"
    case node
    case databasePasswordFile = "database-password-file"
    case adminToken = "admin-token"
    case adminTokenFile = "admin-token-file"
    case maxTokenAge = "max-token-age"
    case secretKeyFile = "secret-key-file"
    case signInHeader = "sign-in-header"
    case signInGroupsHeader = "sign-in-groups-header"
    case signInProxies = "sign-in-proxies"
    case signInRoles = "sign-in-roles"
    case console
    case eventLoops = "event-loops"
    case workers
    case maxConnections = "max-connections"
    case maxConnectionsPerAddress = "max-connections-per-address"
    case maxStreams = "max-streams"
    case maxStreamsPerAddress = "max-streams-per-address"
    case maxReleases = "max-releases"
    case maxSets = "max-sets"
    case maxAppSize = "max-app-size"
    case trustedProxies = "trusted-proxies"
    case forwardedHeader = "forwarded-header"
    case adminBudget = "admin-budget"
    case tokenWrites = "token-writes"
    case publicURL = "public-url"
    case allowedHosts = "allowed-hosts"
    case cacheMaxAge = "cache-max-age"
    case cacheBudget = "cache-budget"
    case snapshotBudget = "snapshot-budget"
    case firstAttemptGrace = "first-attempt-grace"
    case webhookSchedule = "webhook-schedule"
    case webhookTimeout = "webhook-timeout"
    case webhookConnectTimeout = "webhook-connect-timeout"
    case webhookAllow = "webhook-allow"
    case webhookDisableAfter = "webhook-disable-after"
    case webhookCA = "webhook-ca"
    case webhookHTTPSOnly = "webhook-https-only"
    case auditRetention = "audit-retention"
    case headerTimeout = "header-timeout"
    case bodyTimeout = "body-timeout"
    case idleTimeout = "idle-timeout"
    case drainDelay = "drain-delay"
    case drainTimeout = "drain-timeout"
    case logLevel = "log-level"
    case logFormat = "log-format"

    package var environmentName: String {
        "LONGPRESS_" + rawValue.uppercased().replacing("-", with: "_")
    }

    var isSecret: Bool { self == .adminToken }
}
