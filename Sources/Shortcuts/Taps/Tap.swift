/// A tap on a quick action, as the app that was opened by it reports it.
package struct Tap: Sendable {
    package let installed: AppBuild
    package let type: Text
    /// As it came: a tap is never an error to the person who made it, so nothing in it is refused.
    package let userInfo: [JSON.Member]
    package let audience: Audience?
    package let language: LanguagePreference

    package init(
        installed: AppBuild, type: Text, userInfo: [JSON.Member], audience: Audience?, language: LanguagePreference
    ) {
        self.installed = installed
        self.type = type
        self.userInfo = userInfo
        self.audience = audience
        self.language = language
    }

    var tag: TapTag? { TapTag(userInfo) }

    /// The audience in the tag, where it names one; it counts without a usable tag too.
    var taggedAudience: Audience? {
        userInfo.text("longpress.audience").flatMap { Audience($0.string) }
    }
}

/// The version tag of a tapped item. It is usable when the schema is ours, the item is an id and the version parses;
/// an odd revision, language or action is never an error.
struct TapTag: Sendable {
    let item: ItemID
    let version: AppBuild
    let revision: Int64?
    let language: LanguageTag?
    let action: Text?

    init?(_ userInfo: [JSON.Member]) {
        guard userInfo.integer("longpress.schema") == VersionTag.schema,
            let item = userInfo.text("longpress.item").flatMap({ ItemID($0.string) }),
            let version = userInfo.text("longpress.version").flatMap({ AppBuild($0.string) })
        else { return nil }
        self.item = item
        self.version = version
        revision = userInfo.integer("longpress.revision")
        language = userInfo.text("longpress.language").flatMap { LanguageTag($0.string) }
        action = userInfo.text("longpress.action")
    }
}

extension [JSON.Member] {
    /// An integer, or its decimal text: some bridges turn every value into a string.
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
        !isEmpty && utf8.allSatisfy(\.isDigit)
    }
}
