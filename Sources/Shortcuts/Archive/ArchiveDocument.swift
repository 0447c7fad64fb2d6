import QuickActions

/// The document of an import: an export that may have been edited, so every rule is checked again.
package struct ArchiveDocument {
    private let json: JSON

    package init(_ json: JSON) {
        self.json = json
    }

    package func checked() throws(Failure) -> Archive {
        let checker = DocumentChecker(acceptsAnyLanguage: true)
        let archive = read(checker)
        try checker.finish()
        guard let archive else { throw .invalidDocument([]) }
        return archive
    }

    private func read(_ checker: DocumentChecker) -> Archive? {
        guard let document = checker.object(json, at: .root, known: ["format", "schema", "apps", "deletedApps"]) else { return nil }
        _ = document.required("format") { Self.format($0, at: $1, checker) }
        _ = document.required("schema") { Self.schema($0, at: $1, checker) }
        if !document.has("apps") { _ = document.required("apps") { json, path in checker.array(json, at: path) } }
        let apps = document.list("apps") { json, path in ArchivedAppDocument(json).read(checker, at: path) }
        let deleted = document.list("deletedApps") { Self.deletedApp($0, at: $1, checker) }
        var seen: Set<AppID> = []
        for id in apps.map(\.app.id) + deleted.map(\.app) where !seen.insert(id).inserted {
            checker.note("duplicate-id", at: .root["apps"], "The app \(quoted(id.description)) is there twice: remove one of them.")
        }
        return Archive(
            apps: apps.sorted { $0.app.id < $1.app.id }, deletedApps: deleted.sorted { $0.app < $1.app })
    }

    private static func format(_ json: JSON, at path: DocumentPath, _ checker: DocumentChecker) -> Text? {
        guard let format = checker.string(json, at: path) else { return nil }
        if format.string != Archive.format {
            checker.note(
                "format-unknown", at: path,
                "\(quoted(format.string)) is not \(quoted(Archive.format)): send what GET /admin/v1/export answered.")
        }
        return format
    }

    private static func schema(_ json: JSON, at path: DocumentPath, _ checker: DocumentChecker) -> Int64? {
        guard let schema = checker.integer(json, at: path, in: 1...Int64.max) else { return nil }
        if !Archive.readableSchemas.contains(schema) {
            checker.note(
                "schema-unknown", at: path,
                "The document's schema is \(schema) and this Longpress reads those up to \(Archive.schema): import it with the one that made it."
            )
        }
        return schema
    }

    private static func deletedApp(
        _ json: JSON, at path: DocumentPath, _ checker: DocumentChecker
    ) -> RevisionHistory? {
        guard let document = checker.object(json, at: path, known: ["app", "lastRevision", "revisions"]) else { return nil }
        guard let id = document.required("app", checker.appID) else { return nil }
        return RevisionHistoryDocument(document).read(checker, of: id)
    }
}
