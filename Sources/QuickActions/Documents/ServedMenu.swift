/// The app, version, audience and revision of a document of the client plane.
package struct ServedSubject: Sendable, Hashable {
    package let app: AppID
    /// The client's version.
    package let version: AppVersion
    /// The served audience: `default` if the requested audience has no timeline.
    package let audience: Audience
    package let revision: Int64

    package init(_ json: JSON) throws(DocumentRefusal) {
        // Documents of schema 1 do not name their schema. Documents of later schemas do.
        if let schema = json["schema"]?.asInteger, schema != VersionTag.schema { throw .schema(schema) }
        app = try json.required("app", "an app id") { $0.asText.flatMap { AppID($0.string) } }
        version = try json.required("version", "a version") { $0.asText.flatMap { AppVersion($0.string) } }
        audience = try json.required("audience", "an audience") { $0.asText.flatMap { Audience($0.string) } }
        revision = try json.required("revision", "an integer", \.asInteger)
    }
}

/// The document of `GET …/shortcuts`: a menu in one language.
package struct ServedMenu: Sendable, Hashable {
    package let subject: ServedSubject
    package let language: LanguageTag
    /// In display order.
    package let items: [ServedItem]

    /// - Parameter client: the version and build to write into the items' tags; nil keeps the document's.
    package init(_ json: JSON, for client: AppBuild? = nil) throws(DocumentRefusal) {
        subject = try ServedSubject(json)
        language = try json.required("language", "a language") { $0.asText.flatMap { LanguageTag($0.string) } }
        items = try json.required("items", "an array", \.asElements).map { item throws(DocumentRefusal) in
            try ServedItem(item, for: client)
        }
    }
}
