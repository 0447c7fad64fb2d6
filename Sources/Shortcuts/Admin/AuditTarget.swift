import QuickActions

/// The object that an audit entry or an event is about.
package struct AuditTarget: Hashable, Sendable {
    /// A newer node may have stored a kind that this program does not know. Such a kind is passed on unchanged.
    package struct Kind: RawRepresentable, Hashable, Sendable, CaseIterable {
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }

        package static let app = Kind(rawValue: "app")
        package static let release = Kind(rawValue: "release")
        package static let set = Kind(rawValue: "set")
        package static let draft = Kind(rawValue: "draft")
        package static let token = Kind(rawValue: "token")
        package static let session = Kind(rawValue: "session")
        package static let webhook = Kind(rawValue: "webhook")
        package static let delivery = Kind(rawValue: "delivery")
        package static let schedule = Kind(rawValue: "schedule")
        package static let preview = Kind(rawValue: "preview")

        package static let allCases: [Kind] = [.app, .release, .set, .draft, .token, .session, .webhook, .delivery, .schedule, .preview]
    }

    package let kind: Kind
    package let id: String
    /// A name for display; never a secret.
    package let name: String?

    package init(kind: Kind, id: String, name: String?) {
        self.kind = kind
        self.id = id
        self.name = name
    }

    package static func app(_ id: AppID, name: Text? = nil) -> AuditTarget {
        AuditTarget(kind: .app, id: id.description, name: name?.string)
    }

    /// `com.example.mail/2.1.0+512`
    package static func release(_ id: AppBuild, of app: AppID) -> AuditTarget {
        AuditTarget(kind: .release, id: "\(app)/\(id)", name: nil)
    }

    /// `com.example.mail/2.1.0/default`
    /// - Parameter kind: `set` or `draft`.
    package static func set(_ version: AppVersion, _ audience: Audience, of app: AppID, kind: Kind = .set) -> AuditTarget {
        AuditTarget(kind: kind, id: "\(app)/\(version)/\(audience)", name: nil)
    }

    /// The target of a write to an app; nil if it is not an app, a release, a set or a draft.
    init?(of action: AuditEntry.Action, app: AppID, _ version: AppBuild?, _ audience: Audience?) {
        switch (Kind(rawValue: String(action.rawValue.prefix { $0 != "." })), version, audience) {
        case (.app, _, _): self = .app(app)
        case (.release, let version?, _): self = .release(version, of: app)
        case (let kind, let version?, let audience?) where kind == .set || kind == .draft:
            self = .set(version.version, audience, of: app, kind: kind)
        default: return nil
        }
    }

    package static func token(_ token: Token) -> AuditTarget {
        AuditTarget(kind: .token, id: token.id.description, name: token.name)
    }

    /// - Parameter hash: `Session.hash`.
    package static func session(_ hash: [UInt8]) -> AuditTarget {
        AuditTarget(kind: .session, id: Session.publicID(of: hash), name: nil)
    }

    /// The name is the description, or the URL without its path, which may contain a secret.
    package static func webhook(_ endpoint: Endpoint) -> AuditTarget {
        AuditTarget(kind: .webhook, id: endpoint.id.description, name: endpoint.description ?? endpoint.url.origin)
    }

    package static func delivery(_ delivery: Delivery) -> AuditTarget {
        AuditTarget(kind: .delivery, id: delivery.id.description, name: delivery.type.rawValue)
    }

    package static func schedule(_ entry: ScheduleEntry) -> AuditTarget {
        AuditTarget(kind: .schedule, id: entry.id.description, name: nil)
    }

    package static func preview(_ link: PreviewLink) -> AuditTarget {
        AuditTarget(kind: .preview, id: link.id.description, name: nil)
    }

    package var json: JSON { ["kind": .string(kind.rawValue), "id": .string(id), "name": .optional(name)] }
}
