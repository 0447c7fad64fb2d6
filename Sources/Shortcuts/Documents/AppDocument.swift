import QuickActions

/// The body of `PUT …/apps/{app}`: `{"defaultLanguage", "name"?, "fallbackURL"?, "approvals"?, "languages"?}`; `app` may repeat the id of
/// the path. `icon` is read-only and ignored.
package struct AppDocument {
    static let members: Set = ["app", "name", "defaultLanguage", "fallbackURL", "approvals", "languages", "icon"]
    static let maxLanguages = ShortcutSetDocument.maxLanguages

    private let json: JSON

    package init(_ json: JSON) {
        self.json = json
    }

    /// - Parameter current: the app's default language before a patch, which stays valid.
    package func checked(for id: AppID, current: LanguageTag? = nil) throws(Failure) -> RequestedApp {
        let checker = DocumentChecker()
        let app = read(checker, at: .root, for: id, current: current)
        try checker.finish()
        guard let app else { throw .invalidDocument([]) }
        return app
    }

    /// Reads the document as a part of another one.
    func read(_ checker: DocumentChecker, at path: DocumentPath, for id: AppID, current: LanguageTag? = nil) -> RequestedApp? {
        checker.object(json, at: path, known: Self.members).flatMap { Self.read($0, id, current: current) }
    }

    static func read(_ document: CheckedObject, _ id: AppID, current: LanguageTag? = nil) -> RequestedApp? {
        if let named = document.string("app"), named.string != id.description {
            document.checker.note(
                "id-invalid", at: document.path(of: "app"),
                "\(quoted(named.string)) is not the app in the path, \(quoted(id.description)). Leave the member out.")
        }
        let language = document.required("defaultLanguage") { json, path in
            document.checker.string(json, at: path).flatMap { document.checker.language($0, at: path, current: current) }
        }
        let name = document.optional("name") { json, path in
            document.checker.line(json, at: path, upTo: 255, "text-invalid") { _ in
                "name must have 1 to 255 characters without control characters."
            }
        }
        let fallbackURL = document.optional("fallbackURL", document.checker.actionURL)
        let approvals = document.optional("approvals") { json, path in
            document.checker.integer(json, at: path, in: App.approvalRange)
        }
        let languages = document.has("languages") ? Self.languages(document, current: current) : nil
        if let language, let languages, languages.count == maxLanguages, !languages.contains(language) {
            document.checker.note(
                "too-many-items", at: document.path(of: "languages"),
                "With the default language, languages has \(maxLanguages + 1) elements. Use at most \(maxLanguages).")
        }
        return language.map {
            RequestedApp(
                id: id, name: name, defaultLanguage: $0, fallbackURL: fallbackURL, approvals: approvals, languages: languages)
        }
    }

    private static func languages(_ document: CheckedObject, current: LanguageTag?) -> [LanguageTag] {
        var seen: Set<LanguageTag> = []
        return document.list("languages", atMost: maxLanguages) { json, path in
            guard let text = document.checker.string(json, at: path), let tag = document.checker.language(text, at: path, current: current)
            else {
                return nil
            }
            guard seen.insert(tag.preferred).inserted else {
                document.checker.note("duplicate-language", at: path, "\(quoted(text.string)) occurs twice. Remove one of them.")
                return nil
            }
            return tag
        }
    }
}

/// The app that a document describes.
package struct RequestedApp: Sendable {
    let id: AppID
    let name: Text?
    package let defaultLanguage: LanguageTag
    let fallbackURL: ActionURL?
    /// Nil if the document does not name them.
    let approvals: Int64?
    /// Nil if the document does not name them.
    let languages: [LanguageTag]?

    /// The app to store. `approvals` and `languages` change only if the document names them. The icon stays.
    /// - Parameter previous: the stored app; nil if it is new.
    package func app(after previous: App?) -> App {
        App(
            id: id, name: name, defaultLanguage: defaultLanguage, fallbackURL: fallbackURL,
            approvals: approvals ?? previous?.approvals ?? 0, languages: languages ?? previous?.languages ?? [], icon: previous?.icon)
    }

    /// As `PUT` accepts it, without `approvals` and `languages` if it does not name them.
    var document: JSON {
        [
            "name": .optional(name?.string), "defaultLanguage": .string(defaultLanguage), "fallbackURL": .optional(fallbackURL),
            "approvals": approvals.map { .integer($0) }, "languages": languages.map { .strings($0) },
        ]
    }
}

extension App {
    /// The opaque part of its entity tag (RFC 9110 section 8.8.3).
    package var tag: String { entityHash(of: json.encoded) }

    package var json: JSON {
        [
            "app": .string(id), "name": .optional(name?.string), "defaultLanguage": .string(defaultLanguage),
            "fallbackURL": .optional(fallbackURL), "approvals": .integer(approvals), "languages": .strings(languages),
            "icon": .optional(icon),
        ]
    }

    /// The members that a tree's app.json may have.
    package var treeDocument: JSON { .object(json.members.filter { !["app", "icon"].contains($0.name) }) }
}
