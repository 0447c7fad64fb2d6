import API
import HTTP
import HTTPServer
import Logging
import Platform
import QuickActions
import Shortcuts
import Storage
import Webhooks

/// The configuration of the service and of its parts, read at start and again at SIGHUP.
package struct ServiceConfiguration: Sendable {
    /// The settings that it was read from.
    package let values: SettingValues
    package var listen = ListenAddress(host: "127.0.0.1", port: 8080)
    package var adminListen: ListenAddress?
    package var database = DatabaseName.standard
    package var postgres = PostgresSettings()
    /// The name of this process among those that share the database.
    package var node: NodeName
    package var adminToken: String?
    /// The sign-in by a proxy; nil if people sign in only with tokens.
    package var proxySignIn: ProxySignIn?
    package var adminBudget = ByteCount(128 << 20)
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
    package var cacheBudget = ByteCount(256 << 20)
    package var snapshotBudget = ByteCount(64 << 20)
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
        var reader = SettingReader(values)
        node = NodeName(host: NodeName.hostName, suffix: String(Randomness.requestID().prefix(6)))
        server.eventLoops = cores
        server.workers = 4 * cores
        reader.read(.listen, into: &listen, "an address such as 127.0.0.1:8080", ListenAddress.init)
        reader.readOptional(.adminListen, into: &adminListen, "an address such as 127.0.0.1:8081") { ListenAddress($0) }
        reader.readDatabase(into: &database)
        reader.read(.databaseConnections, into: &postgres.connections, "a number from 2 to 200") { number($0, 2...200) }
        reader.read(.databaseListen, into: &postgres.listening) { text throws(TextError) in try ChangeListening(text) }
        if case .at(let uri) = postgres.listening, let uri = reader.withPassword(uri) { postgres.listening = .at(uri) }
        reader.read(.databasePoll, into: &postgres.pollInterval, "a duration from 100ms to 2s") {
            duration($0, .milliseconds(100) ... .seconds(2))
        }
        reader.read(.node, into: &node, NodeName.rule) { NodeName($0) }
        reader.readOptional(.firstAttemptGrace, into: &firstAttemptGrace, "a duration from 0s to 60s") {
            duration($0, .zero ... .seconds(60))
        }
        reader.readSecret(.adminToken, inFileNamedBy: .adminTokenFile, into: &adminToken, "a token of at least 32 characters") {
            $0.count >= 32 ? $0 : nil
        }
        reader.read(.secretKeyFile, into: &keyAtRest) { path throws(TextError) -> SecretKey? in try SecretKey(file: path) }
        reader.readOptional(.maxTokenAge, into: &maxTokenAge, "a duration of at least 1h, such as 2160h") {
            duration($0, .seconds(3600) ... .seconds(36_500 * 86_400))
        }
        proxySignIn = reader.readProxySignIn()
        reader.read(.console, into: &hasConsole, "on or off") { ["on": true, "off": false][$0] }
        reader.read(.eventLoops, into: &server.eventLoops, "a number from 1 to 256") { number($0, 1...256) }
        reader.read(.workers, into: &server.workers, "a number from 1 to 1024") { number($0, 1...1024) }
        reader.read(.maxConnections, into: &server.maxConnections, "a number from 1 to 1000000") { number($0, 1...1_000_000) }
        reader.read(.maxConnectionsPerAddress, into: &server.maxConnectionsPerAddress, "a number from 0 to 1000000") {
            number($0, 0...1_000_000)
        }
        reader.read(.maxStreams, into: &server.maxStreams, "a number from 0 to 1000000") { number($0, 0...1_000_000) }
        reader.read(.maxStreamsPerAddress, into: &server.maxStreamsPerAddress, "a number from 0 to 1000000") {
            number($0, 0...1_000_000)
        }
        reader.read(.maxReleases, into: &quota.releases, "a number from 0 to 1000000") { number($0, 0...1_000_000) }
        reader.read(.maxSets, into: &quota.sets, "a number from 0 to 1000000") { number($0, 0...1_000_000) }
        reader.read(.maxAppSize, into: &quota.bytes, ByteCount.rule) { ByteCount(text: $0)?.bytes }
        reader.read(.trustedProxies, into: &server.proxies.blocks) { text throws(TextError) in try AddressBlock.blocks(parsing: text) }
        reader.read(.forwardedHeader, into: &server.proxies.field, "x-forwarded or forwarded") { TrustedProxies.Field(rawValue: $0) }
        reader.read(.adminBudget, into: &adminBudget, ByteCount.rule, ByteCount.init(text:))
        reader.read(.tokenWrites, into: &tokenWrites, "a number from 0 to 10000") { number($0, 0...10_000) }
        reader.readOptional(.publicURL, into: &publicURL, "an http or https URL") { isWebURL($0) ? $0 : nil }
        reader.read(.allowedHosts, into: &allowedHosts, "host names without ports, separated by commas, or *", parseHostNames)
        reader.read(.cacheMaxAge, into: &cacheMaxAge, durationRule, Duration.init(text:))
        reader.read(.cacheBudget, into: &cacheBudget, ByteCount.rule, ByteCount.init(text:))
        reader.read(.snapshotBudget, into: &snapshotBudget, ByteCount.rule, ByteCount.init(text:))
        reader.read(.headerTimeout, into: &server.headerTimeout, durationRule, Duration.init(text:))
        reader.read(.bodyTimeout, into: &server.bodyTimeout, durationRule, Duration.init(text:))
        reader.read(.idleTimeout, into: &server.idleTimeout, durationRule, Duration.init(text:))
        reader.read(.drainDelay, into: &drainDelay, durationRule, Duration.init(text:))
        reader.read(.drainTimeout, into: &drainTimeout, durationRule, Duration.init(text:))
        reader.read(.webhookTimeout, into: &webhooks.timeout, durationRule, Duration.init(text:))
        reader.read(.webhookConnectTimeout, into: &webhooks.connectTimeout, durationRule, Duration.init(text:))
        reader.read(.webhookDisableAfter, into: &webhooks.disableAfter, durationRule, Duration.init(text:))
        reader.read(.webhookSchedule, into: &webhooks.schedule) { text throws(TextError) in try RetrySchedule(parsing: text) }
        reader.read(.webhookAllow, into: &webhooks.addressGuard) { text throws(TextError) in try AddressGuard(allowing: text) }
        reader.read(.webhookHTTPSOnly, into: &webhooks.httpsOnly, "true or false", Bool.init)
        reader.read(.webhookCA, into: &webhooks.authorities) { path throws(TextError) in try certificates(inFileAt: path) }
        reader.readOptional(.auditRetention, into: &retention.audit, "a duration of at least 24h, such as 8760h") {
            duration($0, .seconds(24 * 3600) ... .seconds(100 * 366 * 24 * 3600))
        }
        reader.read(.logLevel, into: &logLevel, "trace, debug, info, notice, warning, error or critical") { Logger.Level(rawValue: $0) }
        reader.read(.logFormat, into: &logFormat, "text or json") { LineLogHandler.Format(rawValue: $0) }
        guard reader.problems.isEmpty else { throw ConfigurationError(reader.problems) }
    }
}

private let durationRule = "a duration: a whole number with ms, s, m or h, such as 50ms, 15s or 2h"

private func number(_ text: String, _ range: ClosedRange<Int>) -> Int? {
    Int(text).flatMap { range.contains($0) ? $0 : nil }
}

private func duration(_ text: String, _ range: ClosedRange<Duration>) -> Duration? {
    Duration(text: text).flatMap { range.contains($0) ? $0 : nil }
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
        throw TextError("\(error) Name a PEM file of certificate authorities.")
    }
    guard String(decoding: bytes, as: UTF8.self).contains("-----BEGIN CERTIFICATE-----") else {
        throw TextError(
            "\(quoted(path.withoutCredentials)) has no certificate. Name a PEM file, which contains -----BEGIN CERTIFICATE-----.")
    }
    return bytes
}

/// An invalid configuration: all problems, one per line.
package struct ConfigurationError: Error, CustomStringConvertible {
    package let problems: [String]

    package init(_ problems: [String]) {
        self.problems = problems
    }

    package var description: String { problems.joined(separator: "\n") }
}
