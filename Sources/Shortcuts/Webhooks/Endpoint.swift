import QuickActions

/// Where events are sent. Lists that are nil mean all.
package struct Endpoint: Sendable {
    package enum DisabledReason: String, Sendable, CaseIterable {
        case gone, failing, `operator`
    }

    package struct Header: Hashable, Sendable {
        /// What stands for every value that is shown, because it may be a credential, and for the stored value where it is sent.
        package static let redactedValue = "***"

        package let name: String
        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package let id: EndpointID
    package var url: EndpointURL
    package var types: [EventType]?
    package var apps: [AppID]?
    package var description: String?
    package var headers: [Header]
    /// Strictly in order, one attempt in flight.
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

    package func subscribes(to type: EventType, of app: AppID?) -> Bool {
        guard types?.contains(type) ?? true else { return false }
        guard let apps else { return true }
        return app.map(apps.contains) ?? false
    }
}

/// The secrets an endpoint's deliveries are signed with; two while one is being rotated out.
/// Each is written `whsec_` + base64 of 32 random bytes. Never logged, shown once.
package struct SigningSecrets: Sendable {
    package var current: String
    package var previous: String?
    package var previousExpiresAt: Timestamp?

    package init(current: String, previous: String? = nil, previousExpiresAt: Timestamp? = nil) {
        self.current = current
        self.previous = previous
        self.previousExpiresAt = previousExpiresAt
    }

    /// The secrets to sign with at a moment, the current one first.
    package func valid(at now: Timestamp) -> [String] {
        guard let previous, let previousExpiresAt, now < previousExpiresAt else { return [current] }
        return [current, previous]
    }
}
