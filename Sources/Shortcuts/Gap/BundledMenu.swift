import QuickActions

/// What a release check needs of the file with the menu in an app's bundle (`OfflineBundle`).
struct BundledMenu: Sendable {
    private let app: Text
    private let version: AppVersion
    private let audience: Audience
    private let revision: Int64
    private let path: DocumentPath

    /// Reads the bundle, of which only these members matter.
    init?(_ json: JSON, at path: DocumentPath, _ checker: DocumentChecker) {
        guard case .string(let app)? = json["app"], case .string(let version)? = json["version"],
            case .string(let audience)? = json["audience"],
            case .integer(let revision)? = json["revision"], let version = AppVersion(version.string),
            let audience = Audience(audience.string)
        else {
            checker.note("type-mismatch", at: path, "\(path) is not a bundle. Write one with longpress bundle.")
            return nil
        }
        (self.app, self.version, self.audience, self.revision, self.path) = (app, version, audience, revision, path)
    }

    func check(in snapshot: AppSnapshot, for candidate: AppBuild, violations: inout [Violation], warnings: inout [Warning]) {
        func violate(_ message: String) {
            violations.append(Violation(path: path.description, code: "bundled-mismatch", message: "The bundled menu \(message)"))
        }
        let wayOut = "Write it again with longpress bundle."
        if app.string != snapshot.app.id.description {
            violate("is of the app \(quoted(app.string)), not of \(snapshot.app.id). \(wayOut)")
        }
        if version != candidate.version { violate("is of version \(version), not of \(candidate.version). \(wayOut)") }
        if audience != .default, snapshot.timelines[audience] == nil {
            violate("is for the audience \(quoted(audience.description)), which has no sets. \(wayOut)")
        }
        guard let live = snapshot.timeline(for: audience).effectiveSet(for: candidate.version), live.revision != revision else { return }
        warnings.append(
            Warning(
                path: path, code: "bundled-outdated", about: [audience.description],
                message: "The bundled menu is revision \(revision). Since \(live.publishedAt), revision \(live.revision) is published for "
                    + "version \(candidate.version). \(wayOut)"))
    }
}
