/// A value that is parsed from text.
package protocol TextParsable {
    init?(_ text: String)

    /// The message for a text that cannot be parsed, with the text and the remedy.
    static func rule(for text: String) -> String
}

extension ItemID: TextParsable {
    package static func rule(for text: String) -> String {
        "\(quoted(text)) is not an id. Use 1 to 128 ASCII letters, digits, dots, underscores or hyphens, "
            + "beginning with a letter or digit."
    }
}

extension AppID: TextParsable {
    package static func rule(for text: String) -> String {
        "\(quoted(text)) is not an app id. Use the bundle identifier: at most 155 ASCII letters, digits, dots, underscores or "
            + "hyphens, beginning with a letter or digit."
    }
}

extension Audience: TextParsable {
    package static func rule(for text: String) -> String {
        "\(quoted(text)) is not an audience. Use 1 to 32 lower-case ASCII letters, digits or hyphens, beginning with a "
            + "letter or digit, for example member."
    }
}

extension AppVersion: TextParsable {
    package static func rule(for text: String) -> String {
        "\(quoted(text)) is not a version. Use one to three integers separated by periods, for example 2.10.0."
    }
}

extension BuildNumber: TextParsable {
    package static func rule(for text: String) -> String {
        "\(quoted(text)) is not a build. Use one to three integers separated by periods, for example 512."
    }
}

extension AppBuild: TextParsable {
    package static func rule(for text: String) -> String {
        "\(quoted(text)) is not a version. Use one to three integers separated by periods, optionally with a plus sign and "
            + "a build, for example 2.1.0+512."
    }
}
