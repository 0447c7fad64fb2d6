import QuickActions

/// Which documents of a tree mean something else than the service has, and which of them it had. The service judges that, by a dry run:
/// what it would not change means the same, however it is spelled.
struct Comparison {
    private let service: RemoteService
    private(set) var differing: [AppID: Set<DocumentName>] = [:]
    /// Sets among those that differ whose document was published as this set before: nothing is lost with the file.
    private(set) var published: [AppID: Set<DocumentName>] = [:]

    /// - Parameter tree: documents with texts in the place of keys.
    init(of tree: MenuTree, with service: RemoteService) throws(RemoteFailure) {
        self.service = service
        for (app, files) in tree.documents {
            do throws(RemoteFailure) {
                try note(changesBy: MenuTree(folder: tree.folder, apps: [app: tree.apps[app] ?? [:]]))
            } catch {
                try Self.requireRefusalOfDocuments(error)
                // A document is invalid, or some do not fit together: each is judged beside what stands. One that means the same changes
                // nothing, so that it cannot be refused.
                for (name, file) in files { try judge(file, name, of: app, in: tree.folder) }
            }
        }
    }

    private mutating func judge(_ file: TreeFile, _ name: DocumentName, of app: AppID, in folder: String) throws(RemoteFailure) {
        do throws(RemoteFailure) {
            try note(changesBy: MenuTree(folder: folder, apps: [app: [name: file]]))
        } catch {
            try Self.requireRefusalOfDocuments(error)
            differing[app, default: []].insert(name)
        }
    }

    private mutating func note(changesBy tree: MenuTree) throws(RemoteFailure) {
        let plan = try service.apply(Application(tree, pruning: false), dryRun: true)
        for app in plan.apps {
            differing[app.app, default: []].formUnion(app.changes.map(\.name))
            published[app.app, default: []].formUnion(app.changes.filter { $0.published != nil }.map(\.name))
        }
    }

    private static func requireRefusalOfDocuments(_ failure: RemoteFailure) throws(RemoteFailure) {
        guard let status = failure.refusal?.status, [400, 409, 422].contains(status) else { throw failure }
    }
}
