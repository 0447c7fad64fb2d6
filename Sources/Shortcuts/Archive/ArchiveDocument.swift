import QuickActions

/// The document of an import: an export that may have been edited, so every rule is checked again. It is read app by app, so that reading
/// takes little more memory than the result, whatever the size.
package struct ArchiveDocument {
    /// The document with empty arrays in place of those that were already read.
    private let json: JSON
    private let elements: Elements

    /// The elements that were read of the document's arrays.
    private final class Elements {
        let checker = DocumentChecker(acceptsAnyLanguage: true)
        var apps: [ArchivedApp] = []
        var deleted: [RevisionHistory] = []

        func read(_ name: Text, _ index: Int, _ json: JSON) {
            let path = DocumentPath.root[name][index]
            switch name {
            case "apps": if let app = ArchivedAppDocument(json).read(checker, at: path) { apps.append(app) }
            case "deletedApps": if let history = ArchiveDocument.deletedApp(json, at: path, checker) { deleted.append(history) }
            default: break
            }
        }
    }

    /// - Parameter name: the name of the document in failures.
    package init(
        _ bytes: [UInt8], named name: String = "The body", atMost maxValues: Int = JSONReader.maxValues
    ) throws(Failure) {
        let elements = Elements()
        do throws(JSONReader.Refusal) {
            json = try JSONReader.read(bytes, atMost: maxValues, element: elements.read)
        } catch {
            throw Failure(error, of: name)
        }
        self.elements = elements
    }

    package func checked() throws(Failure) -> Archive {
        let checker = DocumentChecker(acceptsAnyLanguage: true)
        let archive = read(checker)
        try checker.finish()
        guard let archive else { throw .invalidDocument([]) }
        return archive
    }

    private func read(_ checker: DocumentChecker) -> Archive? {
        defer { checker.note(allOf: elements.checker) }
        guard let document = checker.object(json, at: .root, known: ["format", "schema", "apps", "deletedApps"]) else { return nil }
        _ = document.required("format") { Self.format($0, at: $1, checker) }
        _ = document.required("schema") { Self.schema($0, at: $1, checker) }
        if !document.has("apps") { _ = document.required("apps") { json, path in checker.array(json, at: path) } }
        for name in ["apps", "deletedApps"] { _ = document.optional(name) { json, path in checker.array(json, at: path) } }
        let (apps, deleted) = (elements.apps, elements.deleted)
        var seen: Set<AppID> = []
        for id in apps.map(\.app.id) + deleted.map(\.app) where !seen.insert(id).inserted {
            checker.note("duplicate-id", at: .root["apps"], "The app \(quoted(id.description)) occurs twice. Remove one of them.")
        }
        return Archive(
            apps: apps.sorted { $0.app.id < $1.app.id }, deletedApps: deleted.sorted { $0.app < $1.app })
    }

    private static func format(_ json: JSON, at path: DocumentPath, _ checker: DocumentChecker) -> Text? {
        guard let format = checker.string(json, at: path) else { return nil }
        if format.string != Archive.format {
            checker.note(
                "format-unknown", at: path,
                "\(quoted(format.string)) is not \(quoted(Archive.format)). Send a document from GET /admin/v1/export.")
        }
        return format
    }

    private static func schema(_ json: JSON, at path: DocumentPath, _ checker: DocumentChecker) -> Int64? {
        guard let schema = checker.integer(json, at: path, in: 1...Int64.max) else { return nil }
        if !Archive.readableSchemas.contains(schema) {
            checker.note(
                "schema-unknown", at: path,
                "The document has schema \(schema), but this version of Longpress reads schemas up to \(Archive.schema). Import it with "
                    + "the version that exported it, or a later one."
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
