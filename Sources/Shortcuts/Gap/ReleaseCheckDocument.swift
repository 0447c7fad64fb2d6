import QuickActions

/// A release before it ships, as described to a release gate: its Info.plist, its assets, or only its version.
package struct ReleaseCandidate: Sendable {
    package let id: AppBuild
    /// Nil for every audience.
    package let audience: Audience?
    /// The built Info.plist, XML or binary.
    package let infoPlist: [UInt8]?
    package let assets: Release.Assets?

    package init(id: AppBuild, audience: Audience?, infoPlist: [UInt8]?, assets: Release.Assets?) {
        self.id = id
        self.audience = audience
        self.infoPlist = infoPlist
        self.assets = assets
    }

    /// The release to check: the given parts, completed by what is stored for the version.
    /// - Throws: the violations of the Info.plist.
    func release(in snapshot: AppSnapshot) throws(Failure) -> Release? {
        let stored = storedRelease(in: snapshot)
        if let infoPlist {
            let read = try InfoPlist(infoPlist).release(id, of: snapshot.app.id)
            return read.with(assets ?? stored?.assets)
        }
        // A version without a stored release is assumed to have the static items of the release before it.
        let nearest = stored ?? snapshot.release(for: id)
        guard let assets else { return nearest }
        if let stored { return stored.with(assets) }
        return Release(
            id: id, staticItems: nearest?.staticItems ?? [], urlSchemes: [], assets: assets, minimumOSVersion: nil,
            displayName: nearest?.displayName)
    }

    /// Whether the version's URL schemes are known: from a given or stored Info.plist.
    func knowsSchemes(in snapshot: AppSnapshot) -> Bool {
        infoPlist != nil || assets == nil || storedRelease(in: snapshot) != nil
    }

    private func storedRelease(in snapshot: AppSnapshot) -> Release? {
        snapshot.release(for: id).flatMap { $0.id.version == id.version ? $0 : nil }
    }
}

/// The body of a release check: `{"version", "audience"?, "set"?, "tree"?, "infoPlist"?, "assets"?, "bundled"?}`.
struct ReleaseCheckDocument {
    struct Checked {
        let candidate: ReleaseCandidate
        /// Before validation, because its violations are findings of the check.
        let set: JSON?
        /// The app's part of a tree, in the format of an apply; not validated either.
        let tree: JSON?
        let bundled: [BundledMenu]
    }

    private let json: JSON

    init(_ json: JSON) {
        self.json = json
    }

    func checked() throws(Failure) -> Checked {
        let checker = DocumentChecker()
        let read = read(checker)
        try checker.finish()
        guard let read else { throw .invalidDocument([]) }
        return read
    }

    private func read(_ checker: DocumentChecker) -> Checked? {
        let known: Set = ["version", "audience", "set", "tree", "infoPlist", "assets", "bundled"]
        guard let document = checker.object(json, at: .root, known: known) else { return nil }
        let id = document.required("version", checker.appBuild)
        let audience = document.optional("audience", checker.audience)
        let (set, tree) = (document.optional("set") { json, _ in json }, document.optional("tree") { json, _ in json })
        if set != nil, tree != nil {
            checker.note("conflicting-members", at: document.path(of: "tree"), "set and tree exclude each other. Send only one of them.")
        }
        let infoPlist = document.optional("infoPlist") { checker.base64($0, at: $1, InfoPlist.howToSend) }
        let assets = document.optional("assets", checker.assets)
        let bundled = document.list("bundled", atMost: 100) { BundledMenu($0, at: $1, checker) }
        guard let id else { return nil }
        let candidate = ReleaseCandidate(id: id, audience: audience, infoPlist: infoPlist, assets: assets)
        return Checked(candidate: candidate, set: set, tree: tree, bundled: bundled)
    }
}

extension AppReader {
    /// Runs a release check for the admin plane and for the command line.
    /// - Parameter body: the request.
    /// - Throws: `invalidDocument`; `unknownApp`, also if the tree does not describe the app; `unknownAudience`. Violations of the set,
    ///   of the tree and of the Info.plist are findings.
    package func check(_ body: JSON, of app: AppID) throws(Failure) -> ReleaseCheck.Findings {
        let stored = try snapshot(of: app)
        let request = try ReleaseCheckDocument(body).checked()
        var (tree, refused): (AppTree?, [Violation]) = (nil, [])
        if let document = request.tree {
            let checker = DocumentChecker()
            tree = AppTreeDocument(document, of: app).read(checker, at: .root["tree"], defaultLanguage: stored?.app.defaultLanguage)
            do throws(Failure) { try checker.finish() } catch { refused = error.asViolations(at: "tree") }
        }
        let placed = refused.isEmpty ? tree?.placed(in: stored) : stored
        guard let snapshot = stored ?? placed.map({ AppSnapshot(app: $0.app, timelines: [:], releases: []) }) else {
            throw refused.isEmpty ? .unknownApp(app) : .invalidDocument(refused)
        }
        var check = ReleaseCheck(of: request.candidate, in: snapshot) { ids, audience throws(Failure) in
            try publishedIDs(among: ids, in: audience, of: app)
        }
        for bundled in request.bundled { check.check(bundled) }
        guard refused.isEmpty else {
            check.refuse(refused)
            return check.findings
        }
        let audiences = try request.audiences(in: placed ?? snapshot) { audience throws(Failure) in
            try draft(effectiveFor: request.candidate.id.version, audience, of: app) != nil
        }
        for audience in audiences {
            if request.tree != nil, let placed {
                try check.check(audience, by: .tree(placed))
            } else {
                try check.check(audience, by: try proposal(request, audience, in: snapshot))
            }
        }
        return check.findings
    }

    /// The set that was sent. Without one, the draft that would be in effect if it were published, else the set in effect.
    private func proposal(
        _ request: ReleaseCheckDocument.Checked, _ audience: Audience, in snapshot: AppSnapshot
    ) throws(Failure) -> ReleaseCheck.Proposal {
        let version = request.candidate.id.version
        guard let document = request.set else {
            let draft = try draft(effectiveFor: version, audience, of: snapshot.app.id)
            let effective = snapshot.timeline(for: audience).effectiveSet(for: version)
            guard let draft, effective.map({ $0.version <= draft.version }) ?? true else { return .inEffect }
            return .draft(draft)
        }
        do throws(Failure) {
            return .set(try ShortcutSetDocument(document, defaultLanguage: snapshot.app.defaultLanguage).checked())
        } catch {
            return .refused(error.asViolations(at: ""))
        }
    }
}

extension ReleaseCheckDocument.Checked {
    /// The audience of the request; every audience without one. A set is of one audience.
    /// - Parameter hasDraft: whether the audience has a draft for the version.
    fileprivate func audiences(
        in snapshot: AppSnapshot, hasDraft: (Audience) throws(Failure) -> Bool
    ) throws(Failure) -> [Audience] {
        guard let audience = candidate.audience else {
            return set == nil ? Set(snapshot.timelines.keys).union([.default]).sorted() : [.default]
        }
        guard audience != .default, snapshot.timelines[audience] == nil, try !hasDraft(audience) else { return [audience] }
        let known = Set(snapshot.timelines.keys).union([.default]).map(\.description).sorted()
        let hint =
            nearestName(to: audience.description, among: known).map { "Did you mean \(quoted($0))?" }
            ?? "It has: \(known.joined(separator: ", "))."
        throw Failure.invalidDocument([
            Violation(
                path: "audience", code: "unknown-audience",
                message: "\(snapshot.app.id) has no sets for the audience \(quoted(audience.description)). \(hint)")
        ])
    }
}

extension AppTree {
    /// The app as if the tree were applied over everything that is published. Sets that the tree lacks stay.
    fileprivate func placed(in snapshot: AppSnapshot?) -> AppSnapshot? {
        guard let app = app?.app(after: snapshot?.app) ?? snapshot?.app else { return nil }
        let (changes, last) = (changes(since: snapshot, prunes: false), snapshot?.lastRevision ?? 0)
        let revisions = zip(changes, 1...).map { change, number in
            Revision(
                number: last + number, kind: .published, version: change.0.version, audience: change.0.audience,
                publishedAt: Timestamp(milliseconds: 0), by: "", set: change.1)
        }
        return AppSnapshot(
            app: app, timelines: snapshot?.timelines ?? [:], releases: snapshot?.releases ?? [], lastRevision: last
        ).after(revisions)
    }
}
