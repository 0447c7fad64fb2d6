import QuickActions

/// The findings of a release check, each with the file that it is about.
package struct GateFindings: Sendable {
    package struct Placed: Sendable {
        package let finding: Finding
        /// Nil if the finding is about what the service has.
        package let file: String?
    }

    package let violations: [Placed]
    package let warnings: [Placed]

    package var count: Int { violations.count + warnings.count }

    /// - Parameter answer: of `POST /admin/v1/apps/{app}/check`.
    package init(_ answer: JSON, named files: GateFiles) {
        violations = answer.elements("violations").compactMap(Finding.init).map(files.placed)
        warnings = answer.elements("warnings").compactMap(Finding.init).map(files.placed)
    }

    /// - Parameter path: of the file with the set.
    package init(malformedSet message: String, in path: String?) {
        violations = [Placed(finding: Finding(path: "", code: "malformed-json", message: message), file: path)]
        warnings = []
    }

    private init(violations: [Placed], warnings: [Placed]) {
        (self.violations, self.warnings) = (violations, warnings)
    }

    package func without(_ isAccepted: (Finding) -> Bool) -> GateFindings {
        GateFindings(
            violations: violations.filter { !isAccepted($0.finding) }, warnings: warnings.filter { !isAccepted($0.finding) })
    }
}

/// The files of a release check.
package struct GateFiles: Sendable {
    private let app: AppID
    private let set: String?
    private let tree: MenuTree?
    private let infoPlist: String?
    private let bundled: [String]

    package init(app: AppID, set: String?, tree: MenuTree?, infoPlist: String?, bundled: [String]) {
        (self.app, self.set, self.tree, self.infoPlist, self.bundled) = (app, set, tree, infoPlist, bundled)
    }

    fileprivate func placed(_ finding: Finding) -> GateFindings.Placed {
        if let name = finding.set { return GateFindings.Placed(finding: finding, file: tree?.apps[app]?[.set(name)]?.path) }
        let path = finding.path
        if path.hasPrefix("tree"), let tree {
            let root = DocumentPath.root["apps"][Text(app.description)].description
            guard let (file, rest) = tree.place(of: root + path.dropFirst(4)) else {
                return GateFindings.Placed(finding: finding, file: nil)
            }
            let message = finding.message.replacing(path, with: rest)
            return GateFindings.Placed(
                finding: Finding(path: rest, code: finding.code, message: message, isNew: finding.isNew), file: file.path)
        }
        if path.hasPrefix("bundled[") {
            let index = Int(path.dropFirst("bundled[".count).prefix { $0 != "]" })
            return GateFindings.Placed(finding: finding, file: index.flatMap { bundled.indices.contains($0) ? bundled[$0] : nil })
        }
        // The paths of an Info.plist are its keys.
        let isOfSet = infoPlist == nil || ["items", "retired", "fallbackURL"].contains { path.hasPrefix($0) }
        return GateFindings.Placed(finding: finding, file: set != nil && isOfSet ? set : infoPlist)
    }
}

/// The findings of an earlier check that a team accepts, as `check --format json` prints them.
package struct AcceptedFindings: Sendable {
    private let known: Set<[String]>

    package init(_ path: String) throws(RemoteFailure) {
        let json = try LocalFile.json(path, atMost: 16 << 20)
        guard let release = json.text("release"), case .array? = json["violations"], case .array? = json["warnings"] else {
            throw RemoteFailure("\(path) is not a baseline. Write one with longpress check --format json.")
        }
        let findings = (json.elements("violations") + json.elements("warnings")).compactMap(Finding.init)
        known = Set(findings.map { Self.identity($0, release) })
    }

    package func contain(_ finding: Finding, about release: AppBuild) -> Bool {
        known.contains(Self.identity(finding, release.description))
    }

    /// The same for the next release, and when items move.
    private static func identity(_ finding: Finding, _ release: String) -> [String] {
        [finding.code, finding.set?.audience.description ?? "", finding.message.replacing(release, with: "")]
    }
}
