import QuickActions

/// Compares a tree with the service: which documents differ in meaning, and what a pull does with their files. The service decides by dry
/// runs: a document that it would not change has the same meaning, whatever its formatting.
struct Comparison {
    /// How a file differs from the service.
    enum Difference {
        /// The service had the file's content before, so that nothing is lost with the file.
        case unmodified
        /// The service has what git last sent.
        case modified
        /// Both have changes, which do not collide.
        case merged(JSON)
        case conflict
    }

    private let service: RemoteService
    private(set) var differing: [AppID: [DocumentName: Difference]] = [:]

    /// - Parameter tree: documents with keys replaced by texts.
    init(of tree: MenuTree, with service: RemoteService) throws(RemoteFailure) {
        self.service = service
        for (app, files) in tree.documents {
            do throws(RemoteFailure) {
                try note(changesBy: MenuTree(folder: tree.folder, apps: [app: tree.apps[app] ?? [:]]))
            } catch {
                try Self.requireDocumentError(error)
                // A document is invalid, or documents do not fit together. So each one is compared alone with the current state. A document
                // with the same meaning changes nothing, so it causes no error.
                for (name, file) in files { try judge(file, name, of: app, in: tree.folder) }
            }
        }
    }

    private mutating func judge(_ file: TreeFile, _ name: DocumentName, of app: AppID, in folder: String) throws(RemoteFailure) {
        do throws(RemoteFailure) {
            try note(changesBy: MenuTree(folder: folder, apps: [app: [name: file]]))
        } catch {
            try Self.requireDocumentError(error)
            differing[app, default: [:]][name] = .conflict
        }
    }

    private mutating func note(changesBy tree: MenuTree) throws(RemoteFailure) {
        var options = ApplyOptions()
        options.overwrites = true
        let overwritten = try service.apply(Application(tree, options), dryRun: true)
        guard !overwritten.isEmpty else { return }
        let merged = try service.apply(Application(tree, ApplyOptions()), dryRun: true)
        for (app, own) in zip(overwritten.apps, merged.apps) {
            var differences: [DocumentName: Difference] = [:]
            for change in app.changes { differences[change.name] = change.name.isRelease ? .conflict : .unmodified }
            for conflict in own.conflicts { differences[conflict.name] = .conflict }
            for change in own.changes where differences[change.name] != nil && !change.name.isRelease {
                differences[change.name] = change.merged.map { .merged($0) } ?? .modified
            }
            // Content that was published before is not an edit.
            for change in app.changes where change.published != nil { differences[change.name] = .unmodified }
            differing[app.app, default: [:]].merge(differences) { $1 }
        }
    }

    private static func requireDocumentError(_ failure: RemoteFailure) throws(RemoteFailure) {
        guard let status = failure.refusal?.status, [400, 409, 422].contains(status) else { throw failure }
    }
}

/// The values of an option that names documents: `com.example.mail/2.0.0@member`, `2.0.0@member` in every app, or a file of the tree.
struct NamedDocuments {
    let documents: [AppID: Set<DocumentName>]

    /// - Throws: a sentence for a name that does not match any document of the tree.
    init(_ names: [String], option: String, in tree: MenuTree) throws(RemoteFailure) {
        var documents: [AppID: Set<DocumentName>] = [:]
        for text in names {
            var isThere = false
            for (app, files) in tree.apps {
                for (name, file) in files where Self.isName(text, of: name, in: app, file, tree) {
                    documents[app, default: []].insert(name)
                    isThere = true
                }
            }
            guard isThere else {
                throw RemoteFailure(
                    "\(option): \(tree.folder) has no \(quoted(text)). "
                        + "Use the name of a set, such as com.example.mail/2.0.0@member, or of a file in the tree."
                )
            }
        }
        self.documents = documents
    }

    func contain(_ name: DocumentName, of app: AppID) -> Bool { documents[app]?.contains(name) ?? false }

    /// The name in the format that `init` accepts.
    static func name(_ name: DocumentName, of app: AppID) -> String {
        if case .set(let set) = name { SetAddress(app, set).description } else { "\(app)/\(name.fileName)" }
    }

    private static func isName(_ text: String, of name: DocumentName, in app: AppID, _ file: TreeFile, _ tree: MenuTree) -> Bool {
        if text == file.path || text == file.path.dropFirst(tree.folder.count + 1) || text == Self.name(name, of: app) { return true }
        guard case .set(let set) = name else { return false }
        return SetAddress(text) == SetAddress(app, set) || SetName(text) == set
    }
}
