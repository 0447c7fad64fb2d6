import QuickActions

/// Identifies a set of an app: `com.example.mail/2.0.0`, or with an audience `com.example.mail/2.0.0@member`.
package struct SetAddress: Hashable, Sendable, TextRepresentable, TextParsable {
    package let app: AppID
    package let name: SetName

    package init(_ app: AppID, _ name: SetName) {
        self.app = app
        self.name = name
    }

    package init?(_ text: String) {
        let parts = Self.split(text)
        guard let app = AppID(parts.app), let name = SetName(parts.name) else { return nil }
        self.init(app, name)
    }

    private static func split(_ text: String) -> (app: String, name: String) {
        guard let slash = text.firstIndex(of: "/") else { return ("", text) }
        return (String(text[..<slash]), String(text[text.index(after: slash)...]))
    }

    package var description: String { "\(app)/\(name)" }

    package static func rule(for text: String) -> String {
        let (app, name) = split(text)
        guard !app.isEmpty, !name.isEmpty else {
            return "\(quoted(text)) is not the name of a set. Use APP/VERSION or APP/VERSION@AUDIENCE, for example "
                + "com.example.mail/2.0.0@member."
        }
        let (version, audience) = SetName.split(name)
        let problems = [
            AppID(app) == nil ? AppID.rule(for: app) : nil, AppVersion(version) == nil ? AppVersion.rule(for: version) : nil,
            Audience(audience) == nil ? Audience.rule(for: audience) : nil,
        ]
        return problems.compactMap { $0 }.joined(separator: " ")
    }

    /// The path below the admin plane, without the audience.
    var path: String { "/apps/\(app)/sets/\(name.version)" }

    /// The audience, for each request to `path`.
    var query: [(String, String)] { [("audience", name.audience.description)] }
}
