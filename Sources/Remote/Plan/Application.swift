import QuickActions

/// The request for `POST /admin/v1/apply`.
package struct Application: Sendable {
    /// The documents by app.
    let apps: JSON
    /// The revision that each app must have; nil to apply whatever the revision is.
    let base: JSON?
    /// Whether sets that are not in the tree are deleted.
    let prunes: Bool

    package init(_ tree: MenuTree, pruning: Bool) {
        self.init(apps: tree.applied, base: nil, prunes: pruning)
    }

    init(apps: JSON, base: JSON?, prunes: Bool) {
        self.apps = apps
        self.base = base
        self.prunes = prunes
    }

    package static let nothing = Application(apps: [:], base: nil, prunes: false)

    var document: JSON { ["base": base, "apps": apps] }

    /// The document with this name; nil if the request has none.
    func document(_ name: DocumentName, of app: AppID) -> JSON? {
        let documents = apps[Text(app.description)]
        switch name {
        case .app: return documents?["app"]
        case .set(let name): return documents?["sets"]?[Text(name.description)]
        case .release(let id): return documents?["releases"]?[Text(id.description)]
        }
    }
}

/// The answer of the service: the changes that an apply would make or has made.
package struct PlannedChanges: Sendable {
    package enum Outcome: Sendable {
        case dryRun, applied, drafts
    }

    package struct OfApp: Sendable {
        let app: AppID
        /// The revision after the apply; in a dry run, the current one.
        let revision: Int64
        let changes: [Change]
        let isDrafted: Bool
    }

    package struct Change: Sendable {
        let name: DocumentName
        /// `create`, `update` or `delete`
        let action: String
        /// For a set: in the format of `GET diff`.
        let difference: JSON?
        /// For an app or a release: old and new value by member.
        let fields: JSON?
        let warnings: [Finding]
        /// The last revision of a set that has the document of the tree; nil if it was never published.
        let published: Int64?
    }

    package let apps: [OfApp]
    package let outcome: Outcome
    /// The number of changes without differences and warnings, because there were too many.
    let leftOut: Int64
    /// The answer as received.
    package let json: JSON

    package var isEmpty: Bool { apps.allSatisfy(\.changes.isEmpty) }

    /// A sentence about the result.
    package func conclusion(on server: ServerAddress) -> String {
        if isEmpty { return "\(server) is already up to date. Nothing was written." }
        switch outcome {
        case .dryRun: return "Nothing was written."
        case .applied where apps.contains(where: \.isDrafted), .drafts:
            return "Saved on \(server). Apps that require approvals got drafts, which somebody must approve and publish there."
        case .applied: return "Applied to \(server)."
        }
    }

    /// Nil if the JSON is not such an answer.
    init?(_ json: JSON) {
        guard case .object(let members)? = json["apps"], let applied = json["applied"] else { return nil }
        switch applied {
        case .boolean(let isDone): outcome = isDone ? .applied : .dryRun
        case .string(let text) where text == "drafts": outcome = .drafts
        case .null, .integer, .real, .outOfRange, .string, .array, .object: return nil
        }
        var apps: [OfApp] = []
        for member in members {
            guard let app = AppID(member.name.string), let of = OfApp(app, member.value) else { return nil }
            apps.append(of)
        }
        self.apps = apps.sorted { $0.app < $1.app }
        leftOut = json.integer("leftOut") ?? 0
        self.json = json
    }
}

extension PlannedChanges.OfApp {
    fileprivate init?(_ app: AppID, _ json: JSON) {
        guard let revision = json.integer("revision"), case .array(let elements)? = json["changes"] else { return nil }
        let changes = elements.compactMap(PlannedChanges.Change.init)
        guard changes.count == elements.count else { return nil }
        let isDrafted = if case .boolean(true)? = json["drafts"] { true } else { false }
        self.init(app: app, revision: revision, changes: changes, isDrafted: isDrafted)
    }
}

extension PlannedChanges.Change {
    fileprivate init?(_ json: JSON) {
        guard let kind = json.text("kind"), let action = json.text("action"), let name = DocumentName(kind: kind, json) else { return nil }
        self.init(
            name: name, action: action, difference: json["difference"], fields: json["fields"],
            warnings: json.elements("warnings").compactMap(Finding.init), published: json.integer("published"))
    }
}

extension DocumentName {
    fileprivate init?(kind: String, _ json: JSON) {
        switch kind {
        case "app": self = .app
        case "set":
            guard let version = json.text("version").flatMap({ AppVersion($0) }),
                let audience = json.text("audience").map({ Audience($0) }) ?? .default
            else { return nil }
            self = .set(SetName(version: version, audience: audience))
        case "release":
            guard let id = json.text("version").flatMap({ AppBuild($0) }) else { return nil }
            self = .release(id)
        default: return nil
        }
    }
}
