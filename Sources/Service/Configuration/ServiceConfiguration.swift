import API
import HTTP
import HTTPServer
import Logging
import QuickActions
import Shortcuts
import Storage
import Webhooks

/// The configuration of the service and of its parts, read at start and again at SIGHUP.
package struct ServiceConfiguration: Sendable {
    /// The settings that it was read from.
    package let values: SettingValues
    package var listen = SocketAddress.loopback(port: 8080)
    package var adminListen: SocketAddress?
    package var database = DatabaseName.standard
    package var postgres = PostgresSettings()
    /// The name of this process among those that share the database.
    package var node: NodeName
    package var adminToken: String?
    /// The sign-in through a proxy; nil if people sign in only with tokens.
    package var proxySignIn: ProxySignIn?
    /// In bytes, as the other budgets.
    package var adminBudget = 128 << 20
    /// The most writes per second of a stored token; 0 for no limit.
    package var tokenWrites = 50
    /// Encrypts the secrets of webhooks in the database.
    package var keyAtRest: SecretKey?
    /// The longest life of a stored token; nil for no limit.
    package var maxTokenAge: Duration?
    package var publicURL: String?
    /// The host names that the admin plane accepts; see `AllowedHosts`.
    package var allowedHosts: [String] = []
    /// Whether the console is served.
    package var hasConsole = true
    package var cacheMaxAge = Duration.seconds(60)
    package var cacheBudget = 256 << 20
    package var snapshotBudget = 64 << 20
    package var quota = AppQuota()
    /// How long a delivery waits until all nodes know the change, so that the consumer's fetch finds it; nil for the default.
    package var firstAttemptGrace: Duration?
    /// How long the listeners keep serving after the service became unready, so that load balancers notice first.
    package var drainDelay = Duration.zero
    package var drainTimeout = Duration.seconds(20)
    package var logLevel = Logger.Level.info
    package var logFormat = LineLogHandler.Format.text
    package var retention = Retention()
    package var server = HTTPServer.Configuration()
    package var webhooks = Dispatcher.Configuration(version: Service.version)

    /// Reads the given settings over the defaults.
    /// - Parameter cores: determines the defaults of event loops and workers.
    /// - Throws: all invalid settings together.
    package init(_ values: SettingValues, cores: Int) throws(ConfigurationError) {
        self.values = values
        node = NodeName(host: NodeName.hostName, suffix: String(Randomness.requestID().prefix(6)))
        server.eventLoops = cores
        server.workers = 4 * cores
        var reader = SettingReader(values)
        for setting in Setting.allCases {
            reader.read(setting) { text throws(TextError) in try setting.read(text, into: &self) }
        }
        reader.readDatabase(into: &database)
        if case .at(let uri) = postgres.listening, let uri = reader.withPassword(uri) { postgres.listening = .at(uri) }
        adminToken = reader.readAdminToken()
        proxySignIn = reader.readProxySignIn()
        guard reader.problems.isEmpty else { throw ConfigurationError(reader.problems) }
    }
}

/// An invalid configuration: all problems, one per line.
package struct ConfigurationError: Error, CustomStringConvertible {
    package let problems: [String]

    package init(_ problems: [String]) {
        self.problems = problems
    }

    package var description: String { problems.joined(separator: "\n") }
}
