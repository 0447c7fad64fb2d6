import API
import Foundation
import HTTPServer
import QuickActions
import Shortcuts
import Storage
import StoragePostgres
import StorageSQLite
import Webhooks

/// A check of `longpress doctor`.
package struct Diagnosis: Sendable {
    package enum State: String, Sendable {
        case ok, warning, error
    }

    package let check: String
    package let state: State
    /// A sentence without secrets.
    package let found: String
    /// What to do.
    package var remedy: String?
}

/// Checks the configuration, the database, the clocks, the machine and the proxies. Changes nothing.
package struct Doctor {
    package private(set) var diagnoses: [Diagnosis] = []
    private let values: SettingValues

    /// - Parameter cores: the number of the machine's cores.
    package init(_ values: SettingValues, environment: [String: String], cores: Int, now: Timestamp = SystemClock().now()) {
        self.values = values
        let configuration: ServiceConfiguration
        do throws(ConfigurationError) {
            configuration = try ServiceConfiguration(values, cores: cores)
        } catch {
            for problem in error.problems { note("configuration", .error, problem, "Correct the setting.") }
            return
        }
        let unknown = UnknownVariables.warnings(in: environment)
        for warning in unknown { note("configuration", .warning, warning, "Correct the name, or remove the variable.") }
        if unknown.isEmpty { note("configuration", .ok, "All settings are valid.") }
        examineDatabase(configuration, now)
        examineMachine(configuration, now)
        examineProxies(configuration)
        if let signIn = configuration.proxySignIn { examine(signIn, configuration) }
    }

    private mutating func note(_ check: String, _ state: Diagnosis.State, _ found: String, _ remedy: String? = nil) {
        diagnoses.append(Diagnosis(check: check, state: state, found: found, remedy: remedy))
    }

    private mutating func examineDatabase(_ configuration: ServiceConfiguration, _ now: Timestamp) {
        let name = configuration.database
        guard !name.isMissingFile else {
            return note("database", .warning, "There is no database at \(name).", "longpress serve and longpress migrate create it.")
        }
        let health: StoreHealth
        do {
            let reader = try name.reader()
            health = try reader.health(at: now, maxTokenAge: configuration.maxTokenAge)
            do throws(Failure) {
                try reader.requireKey(configuration.keyAtRest)
            } catch {
                note("webhooks", .error, error.detail)
            }
        } catch {
            let cause = (error as? Failure).map { $0.cause ?? $0.detail } ?? "\(error)"
            return note(
                "database", .error, cause.withoutUserInfo, "See docs/reliability.md for a database that cannot be read.")
        }
        note("database", .ok, "\(name) can be read and has migration \(health.migration).")
        if health.quarantined > 0 {
            note("database", .warning, "\(health.quarantined) entries are quarantined.", "See LongpressQuarantined in docs/operating.md.")
        }
        if health.expiringTokens > 0 {
            note(
                "tokens", .warning, "Tokens that expire within 7 days: \(health.expiringTokens).",
                "See LongpressTokensExpiring in docs/operating.md.")
        }
        if health.disabledEndpoints > 0 {
            note(
                "webhooks", .warning, "\(health.disabledEndpoints) webhooks were disabled after errors.",
                "See LongpressEndpointDisabled in docs/operating.md.")
        }
        if let oldest = health.oldestDelivery, now.milliseconds - oldest.milliseconds > 3_600_000 {
            note(
                "webhooks", .warning, "A delivery has waited since \(oldest.shortText).",
                "See LongpressDeliveriesLate in docs/operating.md.")
        }
        examineClocks(health, now)
    }

    private mutating func examineClocks(_ health: StoreHealth, _ now: Timestamp) {
        if let last = health.lastWrite, last.milliseconds - now.milliseconds > 2000 {
            note("clock", .error, "The time of the newest write, \(last.shortText), is in the future.", "Set this machine's clock.")
        } else if let offset = health.clockOffsets.max(by: { $0.magnitude < $1.magnitude }), offset.magnitude > 2000 {
            note("clock", .warning, "The clock of a node is \(offset) ms ahead of the database's.", "Set the clocks of the nodes.")
        } else {
            note("clock", .ok, "The clocks agree.")
        }
    }

    private mutating func examineMachine(_ configuration: ServiceConfiguration, _ now: Timestamp) {
        let connections = HTTPServer.ceiling(of: configuration.server.maxConnections, within: Machine.hardDescriptorLimit)
        let warnings = StartWarnings(configuration, maxConnections: connections).all
        for warning in warnings { note("machine", .warning, warning.cause) }
        if warnings.isEmpty { note("machine", .ok, "Memory, open files and disk are sufficient for the configuration.") }
        if let path = configuration.database.path, let mark = Machine.file(at: DatabaseName.backupMark(of: path)) {
            let hours = (now.milliseconds / 1000 - Int64(mark.changedAt)) / 3600
            let remedy = hours > 48 ? "Run longpress backup." : nil
            note("backup", hours > 48 ? .warning : .ok, "The last longpress backup is \(hours) hours old.", remedy)
        }
    }

    private mutating func examineProxies(_ configuration: ServiceConfiguration) {
        let blocks = configuration.server.proxies.blocks
        if blocks.contains(where: \.isEverything) {
            note("proxies", .error, "--trusted-proxies covers every address. Clients can forge theirs.", "List only the proxies.")
        } else if blocks.isEmpty, configuration.publicURL?.hasPrefix("https://") == true {
            note(
                "proxies", .warning,
                "--public-url is https, but --trusted-proxies is empty. All clients appear to have the address of the proxy.",
                "Add the proxy to --trusted-proxies.")
        } else {
            note("proxies", .ok, blocks.isEmpty ? "No proxy is trusted." : "\(blocks.count) address blocks of proxies are trusted.")
        }
    }

    private mutating func examine(_ signIn: ProxySignIn, _ configuration: ServiceConfiguration) {
        if signIn.roles.hasGroups, values[.signInGroupsHeader] == nil {
            note(
                "people", .warning, "--sign-in-roles has groups, but --sign-in-groups-header is not set. Nobody is in a group.",
                "Set --sign-in-groups-header to the header in which the proxy sends groups.")
        }
        if configuration.server.proxies.blocks.isEmpty {
            note(
                "people", .warning,
                "--trusted-proxies is empty. The audit records the proxy's address for everybody who signs in through the proxy.",
                "Add the proxy to --trusted-proxies, too.")
        }
        let count = signIn.roles.entries.count
        note("people", .ok, "People sign in through a proxy. --sign-in-roles has \(count == 1 ? "1 entry" : "\(count) entries").")
    }

    package var isHealthy: Bool { !diagnoses.contains { $0.state == .error } }

    /// Versions and settings for support, without secrets.
    package var json: JSON {
        let settings = Setting.allCases.compactMap { setting in
            values[setting].map { JSON.Member(Text(setting.name), .string(setting.isSecret ? "***" : $0.withoutCredentials)) }
        }
        return [
            "healthy": .boolean(isHealthy),
            "checks": .array(
                diagnoses.map {
                    [
                        "check": .string($0.check), "state": .string($0.state.rawValue), "found": .string($0.found),
                        "remedy": .optional($0.remedy),
                    ]
                }),
            "version": .string(Service.version), "kernel": .string(Machine.kernel),
            "libraries": [
                "sqlite": .string(SQLiteDatabase.libraryVersion), "libcurl": .string(Dispatcher.libcurlVersion),
                "libpq": .string(PostgresDatabase.libraryVersion),
            ],
            "settings": .object(settings),
        ]
    }
}
