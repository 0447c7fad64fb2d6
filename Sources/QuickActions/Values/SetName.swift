/// Identifies a set or draft of an app: the version at which it begins, and the audience. Its text is the name of its file in a tree,
/// `2.0.0` or `2.0.0@member`. Ordered by audience, then version.
package struct SetName: Hashable, Comparable, Sendable, TextRepresentable {
    package let version: AppVersion
    package let audience: Audience

    package init(version: AppVersion, audience: Audience) {
        self.version = version
        self.audience = audience
    }

    /// Any spelling of a version; `@default` may be left out.
    package init?(_ text: String) {
        let (version, audience) = Self.split(text)
        guard let version = AppVersion(version), let audience = Audience(audience) else { return nil }
        self.init(version: version, audience: audience)
    }

    /// Splits a name without checking its parts.
    package static func split(_ text: String) -> (version: String, audience: String) {
        guard let at = text.firstIndex(of: "@") else { return (text, Audience.default.description) }
        return (String(text[..<at]), String(text[text.index(after: at)...]))
    }

    package var description: String { audience == .default ? version.description : "\(version)@\(audience)" }

    /// For a sentence.
    package var inWords: String { "version \(version) and audience \(audience)" }

    package static func < (left: SetName, right: SetName) -> Bool {
        (left.audience, left.version) < (right.audience, right.version)
    }
}
