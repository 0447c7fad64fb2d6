import QuickActions

/// The body of `PUT …/apps/{app}`: `{"defaultLanguage", "name"?, "fallbackURL"?}`; `app` may repeat the id of the path.
package struct AppDocument {
    static let members: Set = ["app", "name", "defaultLanguage", "fallbackURL"]

    private let json: JSON

    package init(_ json: JSON) {
        self.json = json
    }

    package func checked(for id: AppID) throws(Failure) -> App {
        let checker = DocumentChecker()
        let app = checker.object(json, at: .root, known: Self.members).flatMap { Self.read($0, id) }
        try checker.finish()
        guard let app else { throw .invalidDocument([]) }
        return app
    }

    static func read(_ document: CheckedObject, _ id: AppID) -> App? {
        if let named = document.string("app"), named.string != id.description {
            document.checker.note(
                "id-invalid", at: document.path(of: "app"),
                "\(quoted(named.string)) is not the app of the path, \(quoted(id.description)): leave the member out.")
        }
        let language = document.required("defaultLanguage") { json, path in
            document.checker.string(json, at: path).flatMap { document.checker.languageTag($0, at: path) }
        }
        let name = document.optional("name") { json, path in
            document.checker.line(json, at: path, upTo: 255, "text-invalid") { _ in
                "name must have 1 to 255 characters without control characters."
            }
        }
        let fallbackURL = document.optional("fallbackURL", document.checker.actionURL)
        return language.map { App(id: id, name: name, defaultLanguage: $0, fallbackURL: fallbackURL) }
    }
}

extension App {
    /// The opaque part of its entity tag (RFC 9110 section 8.8.3).
    package var tag: String { entityHash(of: json.encoded) }

    package var json: JSON {
        [
            "app": .string(id), "name": .optional(name?.string), "defaultLanguage": .string(defaultLanguage),
            "fallbackURL": .optional(fallbackURL),
        ]
    }
}
