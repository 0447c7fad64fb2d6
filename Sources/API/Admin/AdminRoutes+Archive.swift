import HTTP
import QuickActions
import Shortcuts

extension AdminRoutes {
    private static let importLimit = 64 << 20

    var archiveRoutes: [Route] {
        [
            route(
                "exportStore", .get, "/export", .owner, app: .none, query: ["app", "history"], repeatable: ["app"],
                // The size of an export is unknown until it is written, so only one runs at a time.
                memory: { _ in .max }, exportStore),
            route(
                "importStore", .post, "/import", .owner, app: .none, query: ["dryRun", "replace", "override"], bodyLimit: Self.importLimit,
                memory: \.documentMemory, importStore),
        ]
    }

    /// Writes one member per line, so that a diff of two exports is readable.
    private func exportStore(_ call: AdminCall) throws(Failure) -> Response {
        var selection = ArchiveSelection()
        selection.scope = call.identity.scope
        for name in call.request.query.all("app") {
            let app = try AppID(name, of: "app")
            guard selection.scope.contains(app) else { throw .outOfReach(name, of: call.identity) }
            selection.apps.insert(app)
        }
        switch call.request.query["history"] {
        case nil, "all": break
        case "none": selection.leavesHistoryOut = true
        case let other?: throw Failure(.invalidParameter, "history: \(quoted(other)) is neither all nor none.")
        }
        var document: [UInt8] = []
        try stores.export(selection) { document += $0 }
        return .document(document, type: "application/json")
    }

    private func importStore(_ call: AdminCall) throws(Failure) -> Response {
        let (isDryRun, isReplacing) = (try call.flag("dryRun"), try call.flag("replace"))
        let override = try call.override()
        let archive = try ArchiveDocument(try call.jsonBytes()).checked()
        if let foreign = archive.ids.first(where: { !call.identity.scope.contains($0) }) {
            throw Failure(
                .forbidden,
                "\(call.identity.title) has no access to the app \(quoted(foreign.description)). Nothing was imported.")
        }
        let replaced = try stores.importArchive(archive, replacing: isReplacing, dryRun: isDryRun, override: override, by: call.author)
        return .json(
            ["dryRun": .boolean(isDryRun), "apps": archive.summary, "replaced": isReplacing ? .array(replaced.map(\.summary)) : nil])
    }
}
