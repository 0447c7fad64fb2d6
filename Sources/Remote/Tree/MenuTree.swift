import QuickActions

/// The menus of apps as files, as a team keeps them in git.
package struct MenuTree: Sendable {
    /// As the command names it, without a trailing slash.
    package let folder: String
    package internal(set) var apps: [AppID: [DocumentName: TreeFile]]
}

/// A file of a tree that was read.
package struct TreeFile: Sendable {
    enum Content: Sendable {
        case json(JSON)
        /// An Info.plist, XML or binary.
        case infoPlist([UInt8])
    }

    /// Includes the tree's folder, as messages name it.
    package let path: String
    let content: Content
}

extension MenuTree {
    /// The folder's name without a trailing slash.
    static func name(_ folder: String) -> String {
        var name = folder[...]
        while name.utf8.count > 1, name.hasSuffix("/") { name = name.dropLast() }
        return String(name)
    }

    /// The apps, ascending by their ids, each with its documents: the app, sets and releases ascending.
    var documents: [(app: AppID, files: [(name: DocumentName, file: TreeFile)])] {
        apps.sorted { $0.key < $1.key }.map { app, files in
            (app, files.map { (name: $0.key, file: $0.value) }.sorted { $0.name.precedes($1.name) })
        }
    }

    /// The file with the document at a path (`apps["com.example.mail"].sets["2.0.0"].items[0]`), and the remaining path in that file.
    func place(of path: String) -> (file: TreeFile, path: String)? {
        for (app, files) in apps {
            for (name, file) in files {
                let prefix = name.path(in: app).description
                guard path.hasPrefix(prefix) else { continue }
                let rest = path.dropFirst(prefix.count)
                if rest.isEmpty || rest.hasPrefix("[") { return (file, String(rest)) }
                if rest.hasPrefix(".") { return (file, String(rest.dropFirst())) }
            }
        }
        return nil
    }
}

extension DocumentName {
    func precedes(_ other: DocumentName) -> Bool {
        switch (self, other) {
        case (.set(let left), .set(let right)): left < right
        case (.release(let left), .release(let right)): AppBuild.releaseOrder(left, right)
        default: order < other.order
        }
    }

    private var order: Int {
        switch self {
        case .app: 0
        case .set: 1
        case .release: 2
        }
    }
}
