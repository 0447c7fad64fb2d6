import QuickActions
import Shortcuts

/// What git last sent for each app.
extension SQLConnection {
    func appliedDocuments(of apps: [AppID]) throws(Failure) -> [AppID: AppliedDocuments] {
        var found: [AppID: AppliedDocuments] = [:]
        for list in ValueList.lists(of: apps.map { SQLValue($0) }) {
            let sql = "SELECT app, name, document FROM applied_documents WHERE app IN \(list.sql) ORDER BY app, name"
            for row in try rows(sql, list.values, as: AppliedRow.self) { try row.add(to: &found[row.app, default: .none]) }
        }
        return found
    }

    /// For an app to which only an older program applied a tree: what the newest applies of the audit wrote, else what is published.
    func formerlyApplied(_ app: AppSnapshot) throws(Failure) -> AppliedDocuments {
        let id = app.app.id
        var documents = AppliedDocuments(app: app.app.treeDocument, sets: [:])
        for (audience, timeline) in app.timelines {
            for set in timeline.sets { documents.sets[SetName(version: set.version, audience: audience)] = set.set }
        }
        var seen: Set<SetName> = []
        for entry in try applies(to: id) {
            for change in entry.detail.changes where change.members.text("app")?.string ?? id.description == id.description {
                guard change.members.text("kind") == "set", case .integer(let number)? = change["revision"],
                    let version = change.members.text("version").flatMap({ AppVersion($0.string) }),
                    let audience = change.members.text("audience").flatMap({ Audience($0.string) })
                else { continue }
                let name = SetName(version: version, audience: audience)
                guard seen.insert(name).inserted, let revision = try revision(number, of: id) else { continue }
                documents.sets[name] = revision.set
            }
        }
        return documents
    }

    /// - Parameter previous: what is recorded; nil for nothing.
    func record(_ documents: AppliedDocuments, replacing previous: AppliedDocuments?, of app: AppID) throws(Failure) {
        if let document = documents.app, document.encoded != previous?.app?.encoded { try record(document.encoded, as: "app", of: app) }
        for (name, set) in documents.sets where !(previous?.sets[name]?.hasSameDocument(as: set) ?? false) {
            try record(set, as: name, of: app)
        }
        for name in previous?.sets.keys.sorted() ?? [] where documents.sets[name] == nil {
            try enqueue("DELETE FROM applied_documents WHERE app = ? AND name = ?", [SQLValue(app), .text(name.description)])
        }
    }

    func record(_ set: ShortcutSet, as name: SetName, of app: AppID) throws(Failure) {
        try record(set.canonicalJSON, as: name.description, of: app)
    }

    private func record(_ document: [UInt8], as name: String, of app: AppID) throws(Failure) {
        try enqueue(
            """
            INSERT INTO applied_documents (app, name, document) VALUES (?, ?, ?)
            ON CONFLICT (app, name) DO UPDATE SET document = excluded.document
            """, [SQLValue(app), .text(name), SQLValue(utf8: document)])
    }
}

private struct AppliedRow: RowReadable {
    let app: AppID
    private let name: String
    private let document: String

    init(row: inout SQLRow) throws(Failure) {
        (app, name, document) = (try row.read(), try row.read(), try row.read())
    }

    func add(to documents: inout AppliedDocuments) throws(Failure) {
        let bytes = Array(document.utf8)
        if name == "app" {
            documents.app = try Failure.onStoredDocument { () throws(Failure) in try JSON(document: bytes) }
        } else if let name = SetName(name) {
            documents.sets[name] = try ShortcutSet(stored: bytes)
        } else {
            throw .corrupt("\(quoted(name)) is not the name of a set.")
        }
    }
}
