/// The version tag in the `userInfo` of a tapped item. It is usable if the schema is known and the item and version are valid; other members
/// that are invalid are nil.
package struct TapTag: Sendable {
    package let item: ItemID
    package let version: AppBuild
    package let revision: Int64?
    package let language: LanguageTag?
    package let action: Text?

    package init?(_ userInfo: [JSON.Member]) {
        guard userInfo.integer(VersionTag.Name.schema) == VersionTag.schema,
            let item = userInfo.text(VersionTag.Name.item).flatMap({ ItemID($0.string) }),
            let version = userInfo.text(VersionTag.Name.version).flatMap({ AppBuild($0.string) })
        else { return nil }
        self.item = item
        self.version = version
        revision = userInfo.integer(VersionTag.Name.revision)
        language = userInfo.text(VersionTag.Name.language).flatMap { LanguageTag($0.string) }
        action = userInfo.text(VersionTag.Name.action)
    }
}

extension [JSON.Member] {
    /// An integer or its decimal text: some bridges convert every value to a string.
    fileprivate func integer(_ name: Text) -> Int64? {
        switch self[name] {
        case .integer(let value): value
        case .string(let text): text.string.isDecimal ? Int64(text.string) : nil
        default: nil
        }
    }
}

extension String {
    fileprivate var isDecimal: Bool {
        !isEmpty && utf8.allSatisfy(\.isASCIIDigit)
    }
}
