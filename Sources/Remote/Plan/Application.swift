import QuickActions

/// The request for `POST /admin/v1/apply`.
package struct Application: Sendable {
    /// The documents by app.
    let apps: JSON
    /// By app, the revisions of the sets that the plan changes; nil to apply whatever is published.
    var base: JSON?
    let options: ApplyOptions
    /// Why, for the revisions: one line of at most 200 characters.
    private(set) var message: String?

    package init(_ tree: MenuTree, _ options: ApplyOptions) {
        self.init(apps: tree.applied, base: nil, options: options)
    }

    init(apps: JSON, base: JSON?, options: ApplyOptions) {
        self.apps = apps
        self.base = base
        self.options = options
    }

    package static let nothing = Application(apps: [:], base: nil, options: ApplyOptions())

    var document: JSON { ["base": base, "apps": apps, "use": options.winners, "message": message.map { .string(Text($0)) }] }

    /// With the first line of a text, such as a commit's message, as the message.
    package func saying(_ text: String?) -> Application {
        let line = (text ?? "").prefix { !$0.isNewline }.map {
            $0.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } ? " " : $0
        }
        var application = self
        application.message = line.allSatisfy(\.isWhitespace) ? nil : String(line.prefix(200))
        return application
    }

    var query: [(String, String)] {
        [("mode", options.overwrites ? "overwrite" : "merge"), ("prune", "\(options.prunes)"), ("recreate", "\(options.recreates)")]
            + (options.onlySavesDrafts ? [("drafts", "true")] : [])
    }

    /// The request with some of its apps.
    func limited(to names: [Text]) -> Application {
        func limited(_ json: JSON?) -> JSON? { json.map { json in .object(json.members.filter { names.contains($0.name) }) } }
        var options = options
        options.winners = limited(options.winners)
        if options.winners?.members.isEmpty == true { options.winners = nil }
        var application = Application(apps: limited(apps) ?? [:], base: limited(base), options: options)
        application.message = message
        return application
    }

    /// A request for each app; the request itself if it has at most one.
    var perApp: [Application] { apps.members.count < 2 ? [self] : apps.members.map { limited(to: [$0.name]) } }

    /// The same request, whatever is published.
    var withoutBase: Application {
        var application = self
        application.base = nil
        return application
    }

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

/// How a tree is applied.
package struct ApplyOptions: Sendable {
    /// Whether sets that are not in the tree are deleted.
    package var prunes = false
    /// Whether the tree wins over changes on the service.
    package var overwrites = false
    /// Whether apps that somebody deleted are created again.
    package var recreates = false
    /// Whether sets are saved as drafts, and nothing else changes.
    package var onlySavesDrafts = false
    /// By app and document, `git` or `live`: the side that wins conflicts.
    package var winners: JSON?

    package init() {}

    /// - Parameters:
    ///   - git: sets for which the tree wins, as `--use-git` names them.
    ///   - live: sets for which the service wins.
    package mutating func decide(git: [String], live: [String], in tree: MenuTree) throws(RemoteFailure) {
        var winners: [AppID: [JSON.Member]] = [:]
        for (names, option, winner) in [(git, "--use-git", "git"), (live, "--use-live", "live")] {
            for (app, documents) in try NamedDocuments(names, option: option, in: tree).documents {
                for document in documents {
                    guard let name = document.winnerName else {
                        throw RemoteFailure("\(option): a release has no conflicts. Name a set, or app.json.")
                    }
                    guard !(winners[app] ?? []).contains(where: { $0.name.string == name }) else {
                        throw RemoteFailure(
                            "\(NamedDocuments.name(document, of: app)) is named twice by --use-git and --use-live. Name it once.")
                    }
                    winners[app, default: []].append(JSON.Member(Text(name), .string(winner)))
                }
            }
        }
        guard !winners.isEmpty else { return }
        self.winners = .object(winners.sorted { $0.key < $1.key }.map { JSON.Member(Text($0.key.description), .object($0.value)) })
    }
}

extension DocumentName {
    /// The document's name in `use`; nil for a release.
    fileprivate var winnerName: String? {
        switch self {
        case .app: "app"
        case .set(let name): name.description
        case .release: nil
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
        /// How many approvals the drafts need.
        let approvals: Int64
        /// The drafts that an apply deletes.
        let withdrawn: [(name: SetName, saved: Origin)]
        let drift: [Drift]
        let conflicts: [Conflict]
    }

    /// A set that somebody changed on the service, and that the tree did not change. An apply leaves it alone.
    package struct Drift: Sendable {
        let name: SetName
        /// What happened on the service: `create`, `update` or `delete`.
        let action: String
        let difference: JSON
        let origin: Origin
        /// When a campaign ends.
        let revertsAt: String?
    }

    /// A document that the tree and somebody on the service changed differently.
    package struct Conflict: Sendable {
        let name: DocumentName
        let origin: Origin
        /// In the format of `POST /admin/v1/merge`; empty if one side deleted the set.
        let members: [JSON]
        let isDeletedInGit: Bool
    }

    /// Who published what is live.
    package struct Origin: Sendable {
        let revision: Int64?
        let author: String?
        let time: String?

        /// ` by ana in revision 42 at 2026-11-25T09:00:00Z`
        var words: String {
            (author.map { " by \($0)" } ?? "") + (revision.map { " in revision \($0)" } ?? "") + (time.map { " at \($0)" } ?? "")
        }
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
        /// The current revision of a set; 0 without a set.
        let base: Int64?
        /// With the changes of both sides; nil if the document is the tree's.
        let merged: JSON?
        /// Who saved the set's draft; nil without a draft.
        let draft: Origin?
        let scheduled: [(kind: String, origin: Origin)]
        /// The roll-out of a set: the share in percent, and the candidate's revision.
        let rollout: (share: String, revision: Int64)?
        /// Whether the app's document lowers the approvals.
        let needsOverride: Bool
    }

    package let apps: [OfApp]
    package let outcome: Outcome
    /// The number of changes without differences and warnings, because there were too many.
    let leftOut: Int64
    /// The answers as received, with the apps of all of them.
    package let json: JSON

    package var isEmpty: Bool { apps.allSatisfy { $0.changes.isEmpty && $0.conflicts.isEmpty && $0.withdrawn.isEmpty } }

    /// A sentence about the result.
    package func conclusion(on server: ServerAddress) -> String {
        if isEmpty { return "\(server) is already up to date. Nothing was written." }
        switch outcome {
        case .dryRun: return "Nothing was written."
        case .applied where apps.contains(where: \.isDrafted), .drafts:
            return "Saved on \(server) as drafts, which somebody must approve, if the app requires it, and publish there."
        case .applied: return "Applied to \(server)."
        }
    }

    /// - Parameter answers: to requests for different apps; at least one.
    init(_ answers: [PlannedChanges]) {
        if let only = answers.first, answers.count == 1 {
            self = only
            return
        }
        apps = answers.flatMap(\.apps).sorted { $0.app < $1.app }
        leftOut = answers.reduce(0) { $0 + $1.leftOut }
        outcome = answers.contains { $0.outcome == .applied } ? .applied : answers.first?.outcome ?? .dryRun
        let members = answers.flatMap { $0.json["apps"]?.members ?? [] }
        let first = answers.first?.json["applied"]
        json = ["apps": .object(members), "applied": outcome == .applied ? true : first, "leftOut": leftOut > 0 ? .integer(leftOut) : nil]
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
        let drift = json.elements("drift").compactMap(PlannedChanges.Drift.init)
        let conflicts = json.elements("conflicts").compactMap(PlannedChanges.Conflict.init)
        guard drift.count == json.elements("drift").count, conflicts.count == json.elements("conflicts").count else { return nil }
        self.init(
            app: app, revision: revision, changes: changes, isDrafted: json.boolean("drafts") ?? false,
            approvals: json.integer("approvals") ?? 0,
            withdrawn: json.elements("withdrawn").compactMap { json in
                SetName(inMembersOf: json).map { ($0, PlannedChanges.Origin(json)) }
            }, drift: drift, conflicts: conflicts)
    }
}

extension PlannedChanges.Drift {
    fileprivate init?(_ json: JSON) {
        guard let action = json.text("action"), case .set(let name)? = DocumentName(kind: "set", json), let difference = json["difference"]
        else { return nil }
        self.init(
            name: name, action: action, difference: difference, origin: PlannedChanges.Origin(json), revertsAt: json.text("revertsAt"))
    }
}

extension PlannedChanges.Conflict {
    fileprivate init?(_ json: JSON) {
        guard let text = json.text("name"), let name = text == "app" ? .app : SetName(text).map({ DocumentName.set($0) }) else {
            return nil
        }
        self.init(
            name: name, origin: PlannedChanges.Origin(json), members: json.elements("members"),
            isDeletedInGit: json["git"]?.isNull ?? false)
    }
}

extension PlannedChanges.Origin {
    fileprivate init(_ json: JSON) {
        self.init(revision: json.integer("revision"), author: json.text("by"), time: json.text("at"))
    }
}

extension PlannedChanges.Change {
    fileprivate init?(_ json: JSON) {
        guard let kind = json.text("kind"), let action = json.text("action"), let name = DocumentName(kind: kind, json) else { return nil }
        self.init(
            name: name, action: action, difference: json["difference"], fields: json["fields"],
            warnings: json.elements("warnings").compactMap(Finding.init), published: json.integer("published"), base: json.integer("base"),
            merged: json["document"], draft: json["draft"].map(PlannedChanges.Origin.init),
            scheduled: json.elements("scheduled").map { ($0.text("kind") ?? "", PlannedChanges.Origin($0)) },
            rollout: json["rollout"].flatMap { rollout in rollout.integer("revision").map { (rollout["share"]?.shown ?? "", $0) } },
            needsOverride: json.boolean("needsOverride") ?? false)
    }
}

extension DocumentName {
    fileprivate init?(kind: String, _ json: JSON) {
        switch kind {
        case "app": self = .app
        case "set":
            guard let name = SetName(inMembersOf: json) else { return nil }
            self = .set(name)
        case "release":
            guard let id = json.text("version").flatMap({ AppBuild($0) }) else { return nil }
            self = .release(id)
        default: return nil
        }
    }
}

extension SetName {
    /// From the members `version` and `audience`.
    fileprivate init?(inMembersOf json: JSON) {
        guard let version = json.text("version").flatMap({ AppVersion($0) }),
            let audience = json.text("audience").map({ Audience($0) }) ?? .default
        else { return nil }
        self.init(version: version, audience: audience)
    }
}
