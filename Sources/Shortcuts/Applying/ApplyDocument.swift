import QuickActions

/// The body of `POST …/apply`: `{"base"?, "apps"}`. `apps` maps app ids to `{"app"?, "sets"?, "releases"?}`.
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
        guard let document = checker.object(json, at: .root, known: ["base", "apps"]) else { return nil }
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
        let named = Set(namedApps.map(\.0))
        let base =
            document.optional("base") { json, path in
                checker.entries(of: json, at: path) { name, json, path in
                    Self.base(name, json, at: path, among: named, checker)
                }
            } ?? []
        return ApplyRequest(
            trees: trees.sorted { $0.id < $1.id }, base: Dictionary(base, uniquingKeysWith: { first, _ in first }), options: options)
    }

    private static func base(
        _ name: Text, _ json: JSON, at path: DocumentPath, among named: Set<AppID>, _ checker: DocumentChecker
    ) -> (AppID, Int64)? {
        let revision = checker.integer(json, at: path, in: 0...Int64.max)
        guard let id: AppID = checker.name(name.string, at: path, "id-invalid") else { return nil }
        guard named.contains(id) else {
            checker.note(
                "unknown-member", at: path, "\(quoted(id.description)) is not an app of this document. Remove it from base.")
            return nil
        }
        return revision.map { (id, $0) }
    }
}

extension Failure {
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
    /// The last revision of each app when the changes were planned; 0 for an app that did not exist. An app that is not listed is changed
    /// whatever its revision.
    let base: [AppID: Int64]
    let options: ApplyOptions

    package var apps: [AppID] { trees.map(\.id) }
}

/// How a request is applied, and what its sender is allowed to do.
package struct ApplyOptions: Sendable {
    /// Whether sets that are not in the tree are deleted.
    package var prunes: Bool
    /// Whether the sender may create apps and change their documents. Always true in a dry run.
    package var mayChangeApps: Bool
    /// Why an owner publishes without the missing approvals.
    package var override: OverrideReason?

    package init(prunes: Bool = false, mayChangeApps: Bool = true, override: OverrideReason? = nil) {
        self.prunes = prunes
        self.mayChangeApps = mayChangeApps
        self.override = override
    }
}

/// The stored state of an app before an apply.
package struct ApplyState: Sendable {
    /// Nil if the app does not exist.
    package let snapshot: AppSnapshot?
    /// The last revision number that was given, also to a deleted app with this id; 0 if none was.
    package let lastRevision: Int64

    package init(snapshot: AppSnapshot?, lastRevision: Int64) {
        self.snapshot = snapshot
        self.lastRevision = lastRevision
    }

    /// The revision that is compared with `base`.
    var revision: Int64 { snapshot?.lastRevision ?? 0 }
}
