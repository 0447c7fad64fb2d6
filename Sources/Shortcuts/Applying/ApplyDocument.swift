import QuickActions

/// The body of `POST …/apply`: `{"base"?, "apps", "use"?, "message"?}`. `apps` maps app ids to `{"app"?, "sets"?, "releases"?}`.
package struct ApplyDocument {
    /// The limit of sets and releases, together.
    static let maxDocuments = 5000
    /// The limit of sets of one app: each set reads its timeline once.
    static let maxSets = 1000

    private let json: JSON

    package init(_ json: JSON) {
        self.json = json
    }

    /// The names in `apps`, as they were sent. They may be invalid ids.
    package var names: [String] { (json["apps"]?.members ?? []).map(\.name.string) }

    /// The apps whose own document is in the request and differs from the stored one, or cannot be read.
    /// - Parameter apps: the stored apps among those that the request names.
    package func changedApps(among apps: [AppID: App]) -> [AppID] {
        namedApps.compactMap { id, tree in
            guard let document = tree["app"], !document.isNull else { return nil }
            let checker = DocumentChecker()
            let requested = AppDocument(document).read(checker, at: .root, for: id)
            let isSame = checker.violations.isEmpty && apps[id].map { $0 == requested?.app(after: $0) } ?? false
            return isSame ? nil : id
        }
    }

    /// - Parameter apps: the stored apps among those that the request names.
    /// - Throws: `unknownApp` if an app is not stored and the request has no document for it.
    package func requireKnownApps(among apps: [AppID: App]) throws(Failure) {
        for (id, tree) in namedApps where apps[id] == nil {
            guard let document = tree["app"], !document.isNull else { throw .undescribedApp(id) }
        }
    }

    private var namedApps: [(AppID, JSON)] {
        (json["apps"]?.members ?? []).compactMap { member in AppID(member.name.string).map { ($0, member.value) } }
    }

    /// - Parameter apps: the stored apps among those that the request names. Their default language applies if the request has no other.
    package func checked(among apps: [AppID: App], _ options: ApplyOptions) throws(Failure) -> ApplyRequest {
        let checker = DocumentChecker()
        let request = read(checker, apps, options)
        try checker.finish()
        guard let request else { throw .invalidDocument([]) }
        return request
    }

    private func read(_ checker: DocumentChecker, _ apps: [AppID: App], _ options: ApplyOptions) -> ApplyRequest? {
        guard let document = checker.object(json, at: .root, known: ["base", "apps", "use", "message"]) else { return nil }
        let trees =
            document.required("apps") { json, path in
                checker.entries(of: json, at: path) { name, json, path -> AppTree? in
                    guard let id: AppID = checker.name(name.string, at: path, "id-invalid") else { return nil }
                    return AppTreeDocument(json, of: id).read(checker, at: path, defaultLanguage: apps[id]?.defaultLanguage)
                }
            } ?? []
        let count = trees.reduce(0) { $0 + $1.sets.count + $1.releases.count }
        if count > Self.maxDocuments {
            checker.note(
                "too-many-items", at: .root["apps"],
                "The apps have \(count) sets and releases together, but the limit is \(Self.maxDocuments). Apply fewer apps at once.")
        }
        for tree in trees where tree.sets.count > Self.maxSets {
            checker.note(
                "too-many-items", at: tree.path["sets"],
                "The app has \(tree.sets.count) sets, but the limit is \(Self.maxSets). Apply fewer sets at once.")
        }
        let base = ofApps("base", of: document, Self.base)
        var options = options
        options.winners = ofApps("use", of: document) { json, path, checker in
            let winners = checker.entries(of: json, at: path) { name, json, path in
                Self.winner(name, json, at: path, checker)
            }
            return winners.map { Dictionary($0, uniquingKeysWith: { first, _ in first }) }
        }
        options.message = document.optional("message", checker.revisionMessage)
        return ApplyRequest(trees: trees.sorted { $0.id < $1.id }, base: base, options: options)
    }

    /// Reads a member that has a value for each app of the document.
    private func ofApps<Value>(
        _ name: String, of document: CheckedObject, _ read: (JSON, DocumentPath, DocumentChecker) -> Value?
    ) -> [AppID: Value] {
        let (checker, named) = (document.checker, Set(namedApps.map(\.0)))
        let entries = document.optional(name) { json, path in
            checker.entries(of: json, at: path) { name, json, path -> (AppID, Value)? in
                let value = read(json, path, checker)
                guard let id: AppID = checker.name(name.string, at: path, "id-invalid") else { return nil }
                guard named.contains(id) else {
                    checker.note(
                        "unknown-member", at: path, "\(quoted(id.description)) is not an app of this document. Remove it here.")
                    return nil
                }
                return value.map { (id, $0) }
            }
        }
        return Dictionary(entries ?? [], uniquingKeysWith: { first, _ in first })
    }

    private static func base(_ json: JSON, at path: DocumentPath, _ checker: DocumentChecker) -> ApplyBase? {
        guard case .object = json else { return checker.integer(json, at: path, in: 0...Int64.max).map { .app($0) } }
        let sets = checker.entries(of: json, at: path) { name, json, path -> (SetName, Int64)? in
            let revision = checker.integer(json, at: path, in: 0...Int64.max)
            return checker.setName(name, at: path).flatMap { name in revision.map { (name, $0) } }
        }
        return sets.map { .sets(Dictionary($0, uniquingKeysWith: { first, _ in first })) }
    }

    private static func winner(
        _ name: Text, _ json: JSON, at path: DocumentPath, _ checker: DocumentChecker
    ) -> (Text, ApplyWinner)? {
        let document = name == "app" ? name : checker.setName(name, at: path).map { Text($0.description) }
        guard case .string(let text) = json, let winner = ApplyWinner(rawValue: text.string) else {
            checker.note("type-mismatch", at: path, "\(path) must be \"git\" or \"live\".")
            return nil
        }
        return document.map { ($0, winner) }
    }
}

extension Failure {
    /// - Parameter deletion: who deleted the app; nil if the audit does not say.
    static func deletedApp(_ id: AppID, _ deletion: Author?) -> Failure {
        let who = deletion.map { $0.token.isEmpty ? " at \($0.at.shortText)" : " by \(quoted($0.token)) at \($0.at.shortText)" } ?? ""
        return Failure(
            .conflict,
            "The app \(quoted(id.description)) was deleted\(who). To create it again, apply with ?recreate=true (longpress apply "
                + "--recreate). Nothing was applied.")
    }

    static func undescribedApp(_ id: AppID) -> Failure {
        Failure(
            .unknownApp,
            "There is no app \(quoted(id.description)), and the document does not describe it. Add its \"app\" (app.json in a tree) with "
                + "at least a defaultLanguage, or create it with PUT /admin/v1/apps/\(id). Nothing was applied.")
    }
}

/// Reads objects whose member names are chosen by the sender.
extension DocumentChecker {
    /// Reads each member of an object. Invalid ones are left out.
    func entries<Entry>(
        of json: JSON, at path: DocumentPath, _ read: (_ name: Text, JSON, DocumentPath) -> Entry?
    ) -> [Entry]? {
        guard case .object(let members) = json else {
            mismatch(json, at: path, wanted: "an object")
            return nil
        }
        return members.compactMap { read($0.name, $0.value, path[$0.name]) }
    }

    /// Parses the name of a set: `2.0.0` or `2.0.0@member`.
    func setName(_ name: Text, at path: DocumentPath) -> SetName? {
        let parts = SetName.split(name.string)
        let version: AppVersion? = self.name(parts.version, at: path, "invalid-version")
        let audience: Audience? = self.name(parts.audience, at: path, "audience-invalid")
        guard let version, let audience else { return nil }
        return SetName(version: version, audience: audience)
    }

    /// Parses the name of a member.
    func name<Value: TextParsable>(_ name: String, at path: DocumentPath, _ code: String) -> Value? {
        let value = Value(name)
        if value == nil { note(code, at: path, Value.rule(for: name)) }
        return value
    }
}

/// The request of an apply, validated.
package struct ApplyRequest: Sendable {
    /// Ascending by id.
    let trees: [AppTree]
    /// What was published when the changes were planned. An app that is not listed is changed whatever is published.
    let base: [AppID: ApplyBase]
    package let options: ApplyOptions

    package var apps: [AppID] { trees.map(\.id) }
}

/// The revisions for which the changes of an app were planned.
enum ApplyBase: Sendable {
    /// The app's last revision; 0 for an app that did not exist.
    case app(Int64)
    /// The current revisions of the sets that the plan changes; 0 for a set that did not exist.
    case sets([SetName: Int64])
}

/// How a request is applied, and what its sender is allowed to do.
package struct ApplyOptions: Sendable {
    /// Whether sets that are not in the tree are deleted.
    package var prunes: Bool
    /// Whether the sender may create apps and change their documents. Always true in a dry run.
    package var mayChangeApps: Bool
    /// Why an owner publishes without the missing approvals.
    package var override: OverrideReason?
    package var mode: ApplyMode
    /// Whether an app that was deleted on the service is created again. Only for `merge`.
    package var recreates: Bool
    /// Whether the sets are saved as drafts, and nothing else is changed or recorded as sent by git. Only for `merge`.
    package var onlySavesDrafts = false
    /// By app, then by the name of a set, or `app`: the side that wins the conflicts of the document.
    var winners: [AppID: [Text: ApplyWinner]] = [:]
    /// Stored with every revision that the apply publishes.
    package var message: RevisionMessage?

    package init(
        prunes: Bool = false, mayChangeApps: Bool = true, override: OverrideReason? = nil, mode: ApplyMode = .overwrite,
        recreates: Bool = false
    ) {
        self.prunes = prunes
        self.mayChangeApps = mayChangeApps
        self.override = override
        self.mode = mode
        self.recreates = recreates
    }
}

/// The stored state of an app before an apply.
package struct ApplyState: Sendable {
    /// Nil if the app does not exist.
    package let snapshot: AppSnapshot?
    /// The last revision number that was given, also to a deleted app with this id; 0 if none was.
    package let lastRevision: Int64
    /// What git last sent.
    package let applied: AppliedDocuments
    /// Whether `applied` is stored.
    package var isRecorded = true
    /// The automatic reverts, drafts and scheduled changes of the app. Only read for `merge`.
    package var schedule: [ScheduleEntry] = []
    package var drafts: [Draft] = []
    /// Who deleted the app, and when; nil if it exists, never existed, or the audit does not say. Only read for `merge`.
    package var deletion: Author?

    package init(snapshot: AppSnapshot?, lastRevision: Int64, applied: AppliedDocuments = .none) {
        self.snapshot = snapshot
        self.lastRevision = lastRevision
        self.applied = applied
    }

    /// The revision that is compared with `base`.
    var revision: Int64 { snapshot?.lastRevision ?? 0 }
}
