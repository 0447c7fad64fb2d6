/// A quick action as the client plane serves it: in one language, with its version tag.
package struct ServedItem: Sendable, Hashable {
    /// An icon, as the names that `UIApplicationShortcutIcon` takes.
    package struct Icon: Sendable, Hashable {
        package let systemImageName: Text?
        package let templateImageName: Text?
        /// The name of a system type: `search`.
        package let type: Text?
    }

    package let id: ItemID
    package let type: Text
    package let title: Text
    package let subtitle: Text?
    package let icon: Icon?
    package let targetContentIdentifier: Text?
    /// Whether the system shows the item, after the static items.
    package let isVisible: Bool
    /// The item's own members and the version tag.
    package let userInfo: PropertyList.Dictionary
    /// The language of its title, from the version tag.
    package let language: LanguageTag
    /// The action hash, from the version tag.
    package let action: Text

    /// - Parameter client: the version and build to write into the tag; nil keeps the document's. An app with a build may use a bundle that
    ///   was made without a build.
    package init(_ json: JSON, for client: AppBuild? = nil) throws(DocumentRefusal) {
        let members = try json.required("userInfo", "an object", \.asMembers)
        if let schema = members[VersionTag.Name.schema]?.asInteger, schema != VersionTag.schema { throw .schema(schema) }
        guard let tag = TapTag(members), let language = tag.language, let action = tag.action else {
            throw .malformed("an item has no version tag")
        }
        (id, self.language, self.action) = (tag.item, language, action)
        type = try json.required("type", "a string", \.asText)
        title = try json.required("localizedTitle", "a string", \.asText)
        subtitle = try json.optional("localizedSubtitle", "a string", \.asText)
        targetContentIdentifier = try json.optional("targetContentIdentifier", "a string", \.asText)
        isVisible = try json.required("visible", "a boolean", \.asBoolean)
        icon = if let icon = try json.optional("icon", "an object", { $0.asMembers == nil ? nil : $0 }) { try Icon(icon) } else { nil }
        let stamped = members.map { member in
            guard let client, member.name == VersionTag.Name.version else { return member }
            return JSON.Member(member.name, .string(client))
        }
        guard let userInfo = PropertyList.Dictionary(json: stamped) else {
            throw .malformed("the userInfo of \(quoted(tag.item.description)) is not a property list")
        }
        self.userInfo = userInfo
    }
}

extension ServedItem.Icon {
    fileprivate init(_ json: JSON) throws(DocumentRefusal) {
        systemImageName = try json.optional("systemImageName", "a string", \.asText)
        templateImageName = try json.optional("templateImageName", "a string", \.asText)
        type = try json.optional("type", "a string", \.asText)
    }
}
