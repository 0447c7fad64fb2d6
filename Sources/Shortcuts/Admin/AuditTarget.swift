import QuickActions

/// What an audit entry concerns besides an app and a version.
package struct AuditTarget: Hashable, Sendable {
    /// A newer node may have stored a kind that this program does not know: it passes through.
    package struct Kind: RawRepresentable, Hashable, Sendable, CaseIterable {
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }

        package static let token = Kind(rawValue: "token")
        package static let session = Kind(rawValue: "session")
        package static let webhook = Kind(rawValue: "webhook")
        package static let delivery = Kind(rawValue: "delivery")
        package static let schedule = Kind(rawValue: "schedule")

        package static let allCases: [Kind] = [.token, .session, .webhook, .delivery, .schedule]
    }

    package let kind: Kind
    package let id: String
    /// As people call it; never a secret.
    package let name: String?

    package init(kind: Kind, id: String, name: String?) {
        self.kind = kind
        self.id = id
        self.name = name
    }

    package static func token(_ token: Token) -> AuditTarget {
        AuditTarget(kind: .token, id: token.id.description, name: token.name)
    }

    /// The id is a hash of the hash that the store has: it is the same at the session's beginning and end, and lets nobody in.
    /// - Parameter hash: `Session.hash`.
    package static func session(_ hash: [UInt8]) -> AuditTarget {
        AuditTarget(kind: .session, id: sha256Hex(hash, first: 16), name: nil)
    }

    /// The name is the description, else the URL without its path, which may hold a secret.
    package static func webhook(_ endpoint: Endpoint) -> AuditTarget {
        AuditTarget(kind: .webhook, id: endpoint.id.description, name: endpoint.description ?? endpoint.url.origin)
    }

    package static func delivery(_ delivery: Delivery) -> AuditTarget {
        AuditTarget(kind: .delivery, id: delivery.id.description, name: delivery.type.rawValue)
    }

    package static func schedule(_ entry: ScheduleEntry) -> AuditTarget {
        AuditTarget(kind: .schedule, id: entry.id.description, name: nil)
    }

    package var json: JSON { ["kind": .string(kind.rawValue), "id": .string(id), "name": .optional(name)] }
}
