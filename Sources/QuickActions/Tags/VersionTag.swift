/// The version tag: members in the `userInfo` of every served item. They are flat, because some bridges drop nested values.
package enum VersionTag {
    package static let prefix = "longpress."
    package static let schema: Int64 = 1
    /// The revision in the tags of a draft that a preview link shows. Published revisions begin with 1.
    package static let draftRevision: Int64 = 0

    /// The names of its members.
    package enum Name {
        package static let schema: Text = "longpress.schema"
        package static let item: Text = "longpress.item"
        package static let version: Text = "longpress.version"
        package static let revision: Text = "longpress.revision"
        package static let language: Text = "longpress.language"
        package static let audience: Text = "longpress.audience"
        package static let action: Text = "longpress.action"
        package static let url: Text = "longpress.url"
        /// Not of the version tag: the id of an item that the app registers itself.
        package static let own: Text = "longpress.own"
        /// The values of a personal item (`PersonalValues`), which only the device adds.
        package static let values: Text = "longpress.values"
    }

    /// The members of a tag.
    /// - Parameters:
    ///   - version: the client's version, with its build if it sent one.
    ///   - action: the hash of the item's action.
    package static func members(
        item: ItemID, version: Text, revision: JSON, language: LanguageTag, audience: Audience, action: String, url: ActionURL?
    ) -> JSON {
        [
            Name.schema: .integer(schema), Name.item: .string(item), Name.version: .string(version), Name.revision: revision,
            Name.language: .string(language), Name.audience: audience == .default ? nil : .string(audience), Name.action: .string(action),
            Name.url: url.map { .string($0) },
        ]
    }

    /// The audience in the `userInfo` of a tapped item. It counts even if the tag is not usable.
    package static func audience(in userInfo: [JSON.Member]) -> Audience? {
        userInfo.text(Name.audience).flatMap { Audience($0.string) }
    }
}
