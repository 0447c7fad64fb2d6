import QuickActions

/// Published documents that a comment needs beside the tree: titles of items that the tree does not have.
package struct LiveDocuments: Sendable {
    var apps: [AppID: AppComment.Live] = [:]

    package init() {}
}

extension RemoteService {
    /// The number of sets and apps that are read. Beyond it, items are named by their ids.
    private static let mostDocuments = 300

    /// Reads the documents for a comment. One that cannot be read is left out.
    package func liveDocuments(for plan: PlannedChanges, of application: Application) -> LiveDocuments {
        var documents = LiveDocuments()
        var room = Self.mostDocuments
        for app in plan.apps {
            var live = AppComment.Live()
            for name in app.unnamedSets(in: application) where room > 0 {
                room -= 1
                live.sets[name] = (try? set(name, of: app.app)) ?? nil
            }
            if !app.isUnchanged, application.document(.app, of: app.app) == nil, room > 0 {
                room -= 1
                live.app = try? json(Call(path: "/apps/\(app.app)"))
            }
            documents.apps[app.app] = live
        }
        return documents
    }
}

extension PlannedChanges.OfApp {
    /// The published sets with items that the tree's document does not have.
    fileprivate func unnamedSets(in application: Application) -> [SetName] {
        let changed = changes.compactMap { change -> SetName? in
            guard case .set(let name) = change.name, change.base ?? 0 > 0, change.action != "delete" else { return nil }
            return change.difference?.ids("removed").isEmpty ?? true ? nil : name
        }
        let drifted = drift.filter { $0.action != "delete" }.map(\.name)
        let conflicted = conflicts.compactMap { conflict -> SetName? in
            guard case .set(let name) = conflict.name, application.document(conflict.name, of: app) == nil else { return nil }
            return name
        }
        return changed + drifted + conflicted
    }
}
