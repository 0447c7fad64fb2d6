/// The app, version, audience and revision of a document of the client plane.
package struct ServedSubject: Sendable, Hashable {
    package let app: AppID
    /// The client's version.
    package let version: AppVersion
    /// The served audience: `default` if the requested audience has no timeline.
    package let audience: Audience
    package private(set) var revision: Int64

    package init(_ json: JSON) throws(DocumentError) {
        // Documents of schema 1 do not name their schema. Documents of later schemas do.
        if let schema = json["schema"]?.asInteger, schema != VersionTag.schema { throw .schema(schema) }
        app = try json.required("app", "an app id") { $0.asText.flatMap { AppID($0.string) } }
        version = try json.required("version", "a version") { $0.asText.flatMap { AppVersion($0.string) } }
        audience = try json.required("audience", "an audience") { $0.asText.flatMap { Audience($0.string) } }
        revision = try json.required("revision", "an integer", \.asInteger)
    }

    /// The same with another revision.
    func at(_ revision: Int64) -> ServedSubject {
        var subject = self
        subject.revision = revision
        return subject
    }
}

/// The document of `GET …/shortcuts`: a menu in one language.
package struct ServedMenu: Sendable, Hashable {
    package private(set) var subject: ServedSubject
    package let language: LanguageTag
    /// In display order, without the personal items.
    package private(set) var items: [ServedItem]
    /// Ascending by their place.
    package private(set) var personal: [ServedPersonalItem]
    /// Nil if no roll-out runs.
    package let rollout: ServedRollout?

    /// - Parameter client: the version and build to write into the items' tags; nil keeps the document's.
    package init(_ json: JSON, for client: AppBuild? = nil) throws(DocumentError) {
        subject = try ServedSubject(json)
        language = try json.required("language", "a language") { $0.asText.flatMap { LanguageTag($0.string) } }
        (items, personal) = try json.menuItems(for: client)
        let rollout = try json.optional("rollout", "an object") { $0.asMembers == nil ? nil : $0 }
        self.rollout = try rollout.map { json throws(DocumentError) in try ServedRollout(json, for: client) }
    }

    /// The menu of an installation in the arm.
    /// - Returns: the same menu in the arm `control`, and if another roll-out or none runs.
    package func seen(in arm: RolloutArm, of rollout: String) -> ServedMenu {
        guard arm == .candidate, let candidate = self.rollout, candidate.id == rollout else { return self }
        var menu = self
        (menu.items, menu.personal) = (candidate.items, candidate.personal)
        menu.subject = subject.at(candidate.revision)
        return menu
    }

    package enum Entry: Sendable, Hashable {
        case item(ServedItem)
        case personal(ServedPersonalItem)
    }

    /// The items and the personal items, in display order.
    package var entries: [Entry] {
        var entries = items.map(Entry.item)
        for item in personal { entries.insert(.personal(item), at: min(max(0, item.at ?? 0), entries.count)) }
        return entries
    }
}

extension JSON {
    /// The items of a menu in display order, and its personal items ascending by their place.
    func menuItems(for client: AppBuild?) throws(DocumentError) -> (items: [ServedItem], personal: [ServedPersonalItem]) {
        let items = try required("items", "an array", \.asElements).map { item throws(DocumentError) in try ServedItem(item, for: client) }
        let personal = try personalItems("personal", for: client)
        guard personal.allSatisfy({ $0.at != nil }) else { throw .malformed("a personal item of the menu has no \(quoted("at"))") }
        return (items, personal.sorted { $0.at ?? 0 < $1.at ?? 0 })
    }

    /// The items of a member that may be absent.
    func items(_ name: Text, for client: AppBuild?) throws(DocumentError) -> [ServedItem] {
        try (try optional(name, "an array", \.asElements) ?? []).map { item throws(DocumentError) in try ServedItem(item, for: client) }
    }

    /// The personal items of a member that may be absent.
    func personalItems(_ name: Text, for client: AppBuild?) throws(DocumentError) -> [ServedPersonalItem] {
        try (try optional(name, "an array", \.asElements) ?? []).map { item throws(DocumentError) in
            try ServedPersonalItem(item, for: client)
        }
    }
}

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
    package init(_ json: JSON, for client: AppBuild? = nil) throws(DocumentError) {
        let tagged = try TaggedUserInfo(json, for: client)
        (id, language, action, userInfo) = (tagged.id, tagged.language, tagged.action, tagged.userInfo)
        type = try json.required("type", "a string", \.asText)
        title = try json.required("localizedTitle", "a string", \.asText)
        subtitle = try json.optional("localizedSubtitle", "a string", \.asText)
        targetContentIdentifier = try json.optional("targetContentIdentifier", "a string", \.asText)
        isVisible = try json.required("visible", "a boolean", \.asBoolean)
        icon = try Icon(of: json)
    }

    init(
        id: ItemID, type: Text, title: Text, subtitle: Text?, icon: Icon?, targetContentIdentifier: Text?, isVisible: Bool,
        userInfo: PropertyList.Dictionary, language: LanguageTag, action: Text
    ) {
        (self.id, self.type, self.title, self.subtitle, self.icon) = (id, type, title, subtitle, icon)
        (self.targetContentIdentifier, self.isVisible) = (targetContentIdentifier, isVisible)
        (self.userInfo, self.language, self.action) = (userInfo, language, action)
    }
}

/// The `userInfo` of a served item, with the members of its version tag.
struct TaggedUserInfo {
    let id: ItemID
    let language: LanguageTag
    let action: Text
    let userInfo: PropertyList.Dictionary

    /// - Parameters:
    ///   - json: the item.
    ///   - client: the version and build to write into the tag; nil keeps the document's.
    init(_ json: JSON, for client: AppBuild?) throws(DocumentError) {
        let members = try json.required("userInfo", "an object", \.asMembers)
        if let schema = members[VersionTag.Name.schema]?.asInteger, schema != VersionTag.schema { throw .schema(schema) }
        guard let tag = TapTag(members), let language = tag.language, let action = tag.action else {
            throw .malformed("an item has no version tag")
        }
        (id, self.language, self.action) = (tag.item, language, action)
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
    /// - Parameter item: an item, which may have no icon.
    init?(of item: JSON) throws(DocumentError) {
        guard let json = try item.optional("icon", "an object", { $0.asMembers == nil ? nil : $0 }) else { return nil }
        systemImageName = try json.optional("systemImageName", "a string", \.asText)
        templateImageName = try json.optional("templateImageName", "a string", \.asText)
        type = try json.optional("type", "a string", \.asText)
    }
}

/// The document of `POST …/taps`: the result of a tap, without the tapped `userInfo`, which the caller has.
package struct ServedResolution: Sendable {
    /// Nil if the document has an outcome that this version does not know.
    package let outcome: TapOutcome?
    package let item: ServedItem?
    /// The template, if the tap resolves to a personal item. `item` is nil then, and `url` is the fallback.
    package let personal: ServedPersonalItem?
    package let url: Text?
    package let refresh: Bool

    package init(_ json: JSON) throws(DocumentError) {
        outcome = TapOutcome(rawValue: try json.required("outcome", "a string", \.asText).string)
        let served = try json.optional("item", "an object") { $0.asMembers == nil ? nil : $0 }
        item = try served.map { json throws(DocumentError) in try ServedItem(json) }
        let template = try json.optional("personal", "an object") { $0.asMembers == nil ? nil : $0 }
        personal = try template.map { json throws(DocumentError) in try ServedPersonalItem(json) }
        url = try json.optional("url", "a string", \.asText)
        refresh = try json.required("refresh", "a boolean", \.asBoolean)
    }
}
