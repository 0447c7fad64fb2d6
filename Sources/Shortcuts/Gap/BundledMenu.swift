import QuickActions

/// What a release check needs of the file with the menu in an app's bundle: of one audience (`OfflineBundle`), or of all (`AudienceBundles`).
struct BundledMenu: Sendable {
    /// The bundle of one audience in the file.
    fileprivate struct Part: Sendable {
        let app: Text
        let version: AppVersion
        let audience: Audience
        let revision: Int64
        let path: DocumentPath

        /// Reads the members that matter.
        init?(_ json: JSON, at path: DocumentPath) {
            guard case .string(let app)? = json["app"], case .string(let version)? = json["version"],
                case .string(let audience)? = json["audience"],
                case .integer(let revision)? = json["revision"], let version = AppVersion(version.string),
                let audience = Audience(audience.string)
            else { return nil }
            (self.app, self.version, self.audience, self.revision, self.path) = (app, version, audience, revision, path)
        }
    }

    private let parts: [Part]
    /// Whether the file is to have every audience.
    private let isComplete: Bool
    private let path: DocumentPath

    init?(_ json: JSON, at path: DocumentPath, _ checker: DocumentChecker) {
        self.path = path
        isComplete = json["audiences"] != nil
        let others = (json["audiences"]?.members ?? []).filter { !$0.value.isNull }
        let parts = [Part(json, at: path)] + others.map { Part($0.value, at: path["audiences"][$0.name]) }
        self.parts = parts.compactMap { $0 }
        guard self.parts.count == parts.count else {
            checker.note("type-mismatch", at: path, "\(path) is not a bundle. Write one with longpress bundle.")
            return nil
        }
    }

    fileprivate static let wayOut = "Write it again with longpress bundle."

    func check(in snapshot: AppSnapshot, for candidate: AppBuild, violations: inout [Violation], warnings: inout [Warning]) {
        for part in parts { part.check(in: snapshot, for: candidate, violations: &violations, warnings: &warnings) }
        guard isComplete else { return }
        let carried = Set(parts.map(\.audience))
        for (audience, timeline) in snapshot.timelines.sorted(by: { $0.key < $1.key }) where !carried.contains(audience) {
            guard let live = timeline.effectiveSet(for: candidate.version) else { continue }
            warnings.append(
                Warning(
                    path: path, code: "bundled-outdated", about: [audience.description],
                    message: "The bundled menu has nothing for the audience \(audience). Since \(live.publishedAt), revision "
                        + "\(live.revision) is published for it and version \(candidate.version). \(Self.wayOut)"))
        }
    }
}

extension BundledMenu.Part {
    fileprivate func check(in snapshot: AppSnapshot, for candidate: AppBuild, violations: inout [Violation], warnings: inout [Warning]) {
        func violate(_ message: String) {
            violations.append(Violation(path: path.description, code: "bundled-mismatch", message: "The bundled menu \(message)"))
        }
        if app.string != snapshot.app.id.description {
            violate("is of the app \(quoted(app.string)), not of \(snapshot.app.id). \(BundledMenu.wayOut)")
        }
        if version != candidate.version { violate("is of version \(version), not of \(candidate.version). \(BundledMenu.wayOut)") }
        if audience != .default, snapshot.timelines[audience] == nil {
            violate("is for the audience \(quoted(audience.description)), which has no sets. \(BundledMenu.wayOut)")
        }
        guard let live = snapshot.timeline(for: audience).effectiveSet(for: candidate.version), live.revision != revision else { return }
        warnings.append(
            Warning(
                path: path, code: "bundled-outdated", about: [audience.description],
                message: "The bundled menu is revision \(revision). Since \(live.publishedAt), revision \(live.revision) is published for "
                    + "version \(candidate.version). \(BundledMenu.wayOut)"))
    }
}
