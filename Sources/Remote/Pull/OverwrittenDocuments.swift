import QuickActions

/// The values of `pull --overwrite`: `com.example.mail/2.0.0@member`, `2.0.0@member` in every app, or a file of the tree.
struct OverwrittenDocuments {
    private let documents: [AppID: Set<DocumentName>]

    /// - Throws: a sentence for a name that does not match any document of the tree.
    init(_ names: [String], in tree: MenuTree) throws(RemoteFailure) {
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
                    "--overwrite: \(tree.folder) has no \(quoted(text)). Name a set, such as com.example.mail/2.0.0@member, or a file in "
                        + "the tree."
                )
            }
        }
        self.documents = documents
    }

    func contain(_ name: DocumentName, of app: AppID) -> Bool { documents[app]?.contains(name) ?? false }

    /// The name in the format that `init` accepts.
    static func name(_ name: DocumentName, of app: AppID) -> String {
        if case .set(let set) = name { "\(app)/\(set)" } else { "\(app)/\(name.fileName)" }
    }

    private static func isName(_ text: String, of name: DocumentName, in app: AppID, _ file: TreeFile, _ tree: MenuTree) -> Bool {
        if text == file.path || text == file.path.dropFirst(tree.folder.count + 1) || text == Self.name(name, of: app) { return true }
        guard case .set(let set) = name else { return false }
        let own = text.hasPrefix("\(app)/") ? String(text.dropFirst("\(app)/".count)) : text
        return SetName(own) == set
    }
}
