import QuickActions

extension Endpoint {
    /// A warning for each app that does not exist. It is new unless the former endpoint already named the app.
    package func warnings(_ unknown: Set<AppID>, after former: Endpoint?) -> [Warning] {
        (apps ?? []).enumerated().filter { unknown.contains($0.element) }.map { index, app in
            Warning(
                path: .root["apps"][index], code: "unknown-app", about: [app.description],
                message: "There is no app \(quoted(app.description)) yet. Check the bundle identifier. The webhook gets events once the "
                    + "app exists.",
                isNew: !(former?.apps?.contains(app) ?? false))
        }
    }

    /// A warning if a ping is held because the endpoint is disabled.
    package var pingWarnings: [Warning] {
        guard !enabled else { return [] }
        return [
            Warning(
                path: .root["enabled"], code: "endpoint-disabled", about: [],
                message: "The endpoint is disabled, so the ping is held. Enable the endpoint with PATCH and {\"enabled\": true}, then ping "
                    + "it again, or recover the held deliveries.")
        ]
    }
}
