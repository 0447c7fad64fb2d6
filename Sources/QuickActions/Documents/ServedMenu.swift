/// What every document of the client plane says about itself.
package struct ServedSubject: Sendable, Hashable {
    package let app: AppID
    /// The client's.
    package let version: AppVersion
    /// The audience that was served, which is `default` where the one asked for has no timeline.
    package let audience: Audience
    package let revision: Int64

    package init(_ json: JSON) throws(DocumentRefusal) {
        // No document has a schema of its own yet: the tags' counts for all of it.
        if let schema = json["schema"]?.asInteger, schema != VersionTag.schema { throw .schema(schema) }
        app = try json.required("app", "an app id") { $0.asText.flatMap { AppID($0.string) } }
        version = try json.required("version", "a version") { $0.asText.flatMap { AppVersion($0.string) } }
        audience = try json.required("audience", "an audience") { $0.asText.flatMap { Audience($0.string) } }
        revision = try json.required("revision", "an integer", \.asInteger)
    }
}

/// A menu in one language: what `GET …/shortcuts` answers.
package struct ServedMenu: Sendable, Hashable {
    package let subject: ServedSubject
    package let language: LanguageTag
    /// In the order in which they are registered.
    package let items: [ServedItem]

    /// - Parameter client: whose version the items' tags get.
    package init(_ json: JSON, for client: AppBuild? = nil) throws(DocumentRefusal) {
        subject = try ServedSubject(json)
        language = try json.required("language", "a language") { $0.asText.flatMap { LanguageTag($0.string) } }
        items = try json.required("items", "an array", \.asElements).map { item throws(DocumentRefusal) in
            try ServedItem(item, for: client)
        }
    }
}
