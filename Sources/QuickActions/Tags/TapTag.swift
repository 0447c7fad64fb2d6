/// The version tag in the `userInfo` of a tapped item. It is usable if the schema is known and the item and version are valid. Other
/// members are nil if they are invalid.
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

    /// The outcome of a tap on an item that exists. It depends on the item's action, not on its titles.
    /// - Parameters:
    ///   - action: the item's current action hash.
    ///   - revision: the revision of the item's set.
    ///   - language: the language of the item's title.
    package func outcome(action: String, revision: Int64, language: LanguageTag) -> TapOutcome {
        guard let tagged = self.action, tagged.string == action else { return .changed }
        return self.revision == revision && self.language == language ? .current : .equivalent
    }
}

extension [JSON.Member] {
    /// An integer or its decimal text, because some bridges convert every value to a string.
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
