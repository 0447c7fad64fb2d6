import HTTP
import QuickActions
import Shortcuts

extension AdminRoutes {
    private static let applyLimit = 64 << 20

    var applyRoutes: [Route] {
        [
            route(
                "applyTrees", .post, "/apply", .reader, app: .none, query: ["dryRun", "prune", "override", "mode", "recreate", "drafts"],
                bodyLimit: Self.applyLimit,
                memory: \.documentMemory, applyTrees),
            route("mergeSets", .post, "/merge", .reader, app: .none, runs: .onWorker, mergeSets),
        ]
    }

    private func mergeSets(_ call: AdminCall) throws(Failure) -> Response {
        .json(try MergeDocument(try call.json()).merged().json)
    }

    /// Applies all apps of the document, or none.
    private func applyTrees(_ call: AdminCall) throws(Failure) -> Response {
        try call.requireApplyRole()
        let document = ApplyDocument(try call.json())
        let apps = try namedApps(document, call)
        let isDryRun = call.isDryRun
        let mayChangeApps = isDryRun || call.identity.role >= .owner
        let mode = try call.applyMode()
        // With merge, whether an app's document changes depends on what git last sent, so that the plan decides.
        let changed = mayChangeApps || mode == .merge ? [] : document.changedApps(among: apps)
        guard changed.isEmpty else { throw .changingApps(changed) }
        try document.requireKnownApps(among: apps)
        var options = ApplyOptions(
            prunes: try call.flag("prune"), mayChangeApps: mayChangeApps, override: try call.override(), mode: mode,
            recreates: try call.flag("recreate"))
        options.onlySavesDrafts = try call.onlySavesDrafts(options)
        let request = try document.checked(among: apps, options)
        let plan = try stores.apply(request, dryRun: try call.flag("dryRun"), by: call.author)
        return .json(plan.json(isDryRun: isDryRun))
    }

    /// The stored apps among those that the document names.
    private func namedApps(_ document: ApplyDocument, _ call: AdminCall) throws(Failure) -> [AppID: App] {
        let scope = call.identity.scope
        // A token for some apps must not learn whether other apps exist.
        if let foreign = document.names.first(where: { scope != .all && !(AppID($0).map(scope.contains) ?? false) }) {
            throw Failure(
                .forbidden, "\(call.identity.title) has no access to the app \(quoted(foreign)). Nothing was applied.")
        }
        var apps: [AppID: App] = [:]
        for id in document.names.compactMap({ AppID($0) }) { apps[id] = try stores.app(id) }
        return apps
    }
}

extension AdminCall {
    fileprivate func applyMode() throws(Failure) -> ApplyMode {
        guard let text = request.query["mode"] else { return .overwrite }
        guard let mode = ApplyMode(rawValue: text) else {
            throw Failure(.invalidParameter, "mode is \(quoted(text)), but must be \"merge\" or \"overwrite\".")
        }
        return mode
    }

    fileprivate func onlySavesDrafts(_ options: ApplyOptions) throws(Failure) -> Bool {
        guard try flag("drafts") else { return false }
        let unused = [
            options.mode == .merge ? nil : "mode=merge is required", options.prunes ? "prune does not apply" : nil,
            options.override == nil ? nil : "override does not apply", options.recreates ? "recreate does not apply" : nil,
        ].compactMap { $0 }
        guard unused.isEmpty else {
            throw Failure(.invalidParameter, "drafts=true only saves drafts: \(unused.joined(separator: ", ")).")
        }
        return true
    }

    /// A dry run requires the role reader, which the route checks. An apply requires the role publisher, and of drafts the role editor.
    fileprivate func requireApplyRole() throws(Failure) {
        if identity.role < .owner { _ = try override() }
        guard identity.role < (try flag("drafts") ? .editor : .publisher), !isDryRun else { return }
        throw Failure(
            .forbidden,
            "This requires the role publisher. A dry run (?dryRun=true) requires the role reader, and ?drafts=true the role editor; "
                + "\(identity.noun) has "
                + "\(identity.role.rawValue).")
    }
}
