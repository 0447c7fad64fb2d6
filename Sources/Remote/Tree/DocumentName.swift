import QuickActions

/// Identifies a document of an app for which a tree has a file.
package enum DocumentName: Hashable, Sendable {
    case app
    case set(SetName)
    case release(AppBuild)

    /// Its path from the root of the request.
    func path(in app: AppID) -> DocumentPath {
        let root = DocumentPath.root["apps"][Text(app.description)]
        switch self {
        case .app: return root["app"]
        case .set(let name): return root["sets"][Text(name.description)]
        case .release(let id): return root["releases"][Text(id.description)]
        }
    }

    var isSet: Bool {
        if case .set = self { true } else { false }
    }

    var isRelease: Bool {
        if case .release = self { true } else { false }
    }

    /// The file's path in the app's folder, as `pull` writes it.
    var fileName: String {
        switch self {
        case .app: "app.json"
        case .set(let name): "sets/\(name).json"
        case .release(let id): "releases/\(id).json"
        }
    }

    /// For a terminal: `set 2.0.0@member`.
    var title: String {
        switch self {
        case .app: "app"
        case .set(let name): "set \(name)"
        case .release(let id): "release \(id)"
        }
    }
}
