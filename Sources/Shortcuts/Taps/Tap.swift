import QuickActions

/// A tap on a quick action, as reported by the app that it opened.
package struct Tap: Sendable {
    let installed: AppBuild
    let type: Text
    /// As sent. It is not validated, because a tap must never fail for the person.
    let userInfo: [JSON.Member]
    let audience: Audience?
    let language: LanguagePreference

    var tag: TapTag? { TapTag(userInfo) }

    /// The audience in the tag, if it names one. It counts even if the rest of the tag is unusable.
    var taggedAudience: Audience? { VersionTag.audience(in: userInfo) }
}
