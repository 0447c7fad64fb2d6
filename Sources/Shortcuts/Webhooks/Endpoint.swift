import QuickActions

/// A webhook endpoint.
package struct Endpoint: Sendable {
    /// A newer node may have stored a reason that this program does not know. Such a reason is passed on unchanged.
    package struct DisabledReason: RawRepresentable, Hashable, Sendable, CaseIterable {
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }

        package static let removed = DisabledReason(rawValue: "gone")
        package static let failing = DisabledReason(rawValue: "failing")
        package static let `operator` = DisabledReason(rawValue: "operator")

        package static let allCases: [DisabledReason] = [.removed, .failing, .operator]
    }

    package struct Header: Hashable, Sendable {
        /// Shown instead of every value, because a value may be a credential. A client that sends it back keeps the stored value.
        package static let redactedValue = "***"

        package let name: String
        /// Encrypted if the store has a key; see `SecretKey`.
        package let value: String

        package static func redacted(_ name: String) -> Header { Header(name: name, value: redactedValue) }

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package let id: EndpointID
    package var url: EndpointURL
    /// The filters: nil means all.
    package var types: [EventType]?
    package var apps: [AppID]?
    package var description: String?
    package var headers: [Header]
    /// Whether events are delivered strictly in order, with one attempt in flight.
    package var ordered: Bool
    package var enabled: Bool
    package var disabledReason: DisabledReason?
    package var disabledAt: Timestamp?
    package let createdAt: Timestamp
    package var secrets: SigningSecrets

    package init(
        id: EndpointID, url: EndpointURL, types: [EventType]? = nil, apps: [AppID]? = nil, description: String? = nil,
        headers: [Header] = [], ordered: Bool = false, enabled: Bool = true, disabledReason: DisabledReason? = nil,
        disabledAt: Timestamp? = nil, createdAt: Timestamp, secrets: SigningSecrets
    ) {
        self.id = id
        self.url = url
        self.types = types
        self.apps = apps
        self.description = description
        self.headers = headers
        self.ordered = ordered
        self.enabled = enabled
        self.disabledReason = disabledReason
        self.disabledAt = disabledAt
        self.createdAt = createdAt
        self.secrets = secrets
    }

    /// Whether the event passes the filters.
    package func subscribes(to type: EventType, of app: AppID?) -> Bool {
        guard types?.contains(type) ?? true else { return false }
        guard let apps else { return true }
        return app.map(apps.contains) ?? false
    }
}

extension Endpoint {
    /// The settings that the audit records.
    var settings: JSON {
        [
            "url": .optional(url.origin), "types": types.map { .array($0.map { .string($0.rawValue) }) } ?? .null,
            "apps": apps.map { .strings($0) } ?? .null, "description": .optional(description),
            "headers": .array(headers.map { .string($0.name) }),
            "ordered": .boolean(ordered), "enabled": .boolean(enabled), "disabledReason": .optional(disabledReason?.rawValue),
        ]
    }
}

/// The secrets that sign deliveries to an endpoint; two during a rotation. Each is `whsec_` and the base64 of 32 random bytes. A secret is
/// shown once and never logged. It is encrypted if the store has a key; see `SecretKey`.
package struct SigningSecrets: Sendable {
    package var current: String
    package var previous: String?
    package var previousExpiresAt: Timestamp?

    package init(current: String, previous: String? = nil, previousExpiresAt: Timestamp? = nil) {
        self.current = current
        self.previous = previous
        self.previousExpiresAt = previousExpiresAt
    }

    /// The secrets to sign with, the current one first.
    package func valid(at now: Timestamp) -> [String] {
        guard let previous, let previousExpiresAt, now < previousExpiresAt else { return [current] }
        return [current, previous]
    }
}

extension Endpoint {
    /// A warning for each app that does not exist. It is new unless the former endpoint already named the app.
    package func warnings(_ unknown: Set<AppID>, after previous: Endpoint?) -> [Warning] {
        (apps ?? []).enumerated().filter { unknown.contains($0.element) }.map { index, app in
            Warning(
                path: .root["apps"][index], code: "unknown-app", about: [app.description],
                message: "There is no app \(quoted(app.description)) yet. Check the bundle identifier. The webhook gets events once the "
                    + "app exists.",
                isNew: !(previous?.apps?.contains(app) ?? false))
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
