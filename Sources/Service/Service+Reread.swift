import Logging

extension Service {
    /// The settings that take effect when the configuration is reloaded. Other settings take effect at the next start.
    private static let live: Set<Setting> = [
        .logLevel, .trustedProxies, .forwardedHeader, .webhookCA, .adminToken, .adminTokenFile, .signInHeader, .signInGroupsHeader,
        .signInProxies, .signInRoles,
    ]

    /// Reloads the configuration and applies the settings that can change while the service runs. If the configuration has errors, nothing
    /// changes.
    func apply(reread: () throws -> ServiceConfiguration, over current: inout ServiceConfiguration) {
        let previous = current
        do {
            current = try reread()
        } catch {
            return logger.error("the configuration has errors and was not reloaded", metadata: ["cause": "\(error)"])
        }
        logLevel.value = current.logLevel
        server.trust(current.server.proxies)
        dispatcher.trust(current.webhooks.authorities)
        authenticator.configure(token: current.adminToken, proxySignIn: current.proxySignIn)
        streamAccess.endOutdated(by: authenticator)
        // The content of a file may change while its path stays the same.
        var changedFiles: Set<Setting> = []
        if previous.webhooks.authorities != current.webhooks.authorities { changedFiles.insert(.webhookCA) }
        if previous.adminToken != current.adminToken, current.values[.adminTokenFile] != nil { changedFiles.insert(.adminTokenFile) }
        if previous.proxySignIn?.roles != current.proxySignIn?.roles { changedFiles.insert(.signInRoles) }
        let changed = Setting.allCases.filter { previous.values[$0] != current.values[$0] || changedFiles.contains($0) }
        for setting in changed {
            let value = current.values[setting].map { setting.isSecret ? "***" : $0.withoutCredentials }
            logger.notice(
                "setting changed",
                metadata: [
                    "setting": "\(setting.name)", "value": "\(value ?? "the default")",
                    "takesEffect": Self.live.contains(setting) ? "now" : "at the next start",
                ])
        }
        logger.notice("the configuration was reloaded", metadata: ["changed": .stringConvertible(changed.count)])
    }
}
