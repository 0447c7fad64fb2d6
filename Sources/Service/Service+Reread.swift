import Logging

extension Service {
    /// The settings that take effect when they are read again; the others wait for the next start.
    private static let live: Set<Setting> = [
        .logLevel, .trustedProxies, .forwardedHeader, .webhookCA, .adminToken, .adminTokenFile,
    ]

    /// Reads the configuration again and applies what can change while the service runs. A configuration with errors changes nothing.
    func apply(reread: () throws -> ServiceConfiguration, over current: inout ServiceConfiguration) {
        let former = current
        do {
            current = try reread()
        } catch {
            return logger.error("the configuration has errors and was not reread", metadata: ["cause": "\(error)"])
        }
        logLevel.value = current.logLevel
        server.trust(current.server.proxies)
        dispatcher.trust(current.webhooks.authorities)
        let hasNewToken = former.adminToken != current.adminToken
        if hasNewToken {
            authenticator.configure(current.adminToken)
            // Clients come back, and those with the former token are refused.
            server.restartStreams()
        }
        // A file may have changed where its name has not.
        var changedFiles: Set<Setting> = []
        if former.webhooks.authorities != current.webhooks.authorities { changedFiles.insert(.webhookCA) }
        if hasNewToken, current.values[.adminTokenFile] != nil { changedFiles.insert(.adminTokenFile) }
        let changed = Setting.allCases.filter { former.values[$0] != current.values[$0] || changedFiles.contains($0) }
        for setting in changed {
            let value = current.values[setting].map { setting.isSecret ? "***" : $0.withoutCredentials }
            logger.notice(
                "setting changed",
                metadata: [
                    "setting": "\(setting.rawValue)", "value": "\(value ?? "the default")",
                    "takesEffect": Self.live.contains(setting) ? "now" : "at the next start",
                ])
        }
        logger.notice("the configuration was reread", metadata: ["changed": .stringConvertible(changed.count)])
    }
}
