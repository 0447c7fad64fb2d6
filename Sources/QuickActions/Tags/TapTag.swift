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

    /// What a tap on an item that is still there comes to: decided by what the item does, not by what it says.
    /// - Parameters:
    ///   - action: the hash of what the item does today.
    ///   - revision: that it is served from.
    ///   - language: of the row that it is served in.
    package func outcome(action: String, revision: Int64, language: LanguageTag) -> TapOutcome {
        guard let tagged = self.action, tagged.string == action else { return .changed }
        return self.revision == revision && self.language == language ? .current : .equivalent
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
