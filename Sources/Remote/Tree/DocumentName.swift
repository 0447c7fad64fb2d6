import QuickActions

/// Identifies a set of an app by version and audience. Its text is the name of its file, `2.0.0` or `2.0.0@member`.
package struct SetName: Hashable, Comparable, Sendable, TextRepresentable {
    package let version: AppVersion
    package let audience: Audience

    package init(version: AppVersion, audience: Audience) {
        self.version = version
        self.audience = audience
    }

    /// Any spelling of a version; `@default` may be left out.
    package init?(_ text: String) {
        let halves = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let version = halves.first.flatMap({ AppVersion($0) }),
            let audience = halves.count == 2 ? Audience(halves[1]) : .default
        else { return nil }
        self.init(version: version, audience: audience)
    }

    package var description: String { audience == .default ? version.description : "\(version)@\(audience)" }

    package static func < (left: SetName, right: SetName) -> Bool {
        left.version == right.version ? left.audience < right.audience : left.version < right.version
    }
}

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
