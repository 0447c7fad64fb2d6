import QuickActions

/// A tap on a quick action, as the app that was opened by it reports it.
package struct Tap: Sendable {
    let installed: AppBuild
    let type: Text
    /// As sent. Nothing in it is validated, because a tap must never fail for the person who tapped.
    let userInfo: [JSON.Member]
    let audience: Audience?
    let language: LanguagePreference

    var tag: TapTag? { TapTag(userInfo) }

    /// The audience in the tag, where it names one; it counts without a usable tag too.
    var taggedAudience: Audience? { VersionTag.audience(in: userInfo) }
}
