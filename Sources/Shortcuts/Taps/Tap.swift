import QuickActions

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
    var taggedAudience: Audience? { VersionTag.audience(in: userInfo) }
}
