// Messages for texts that cannot be parsed. Each message has the text and the remedy.

extension ItemID {
    package static func rule(for text: String) -> String {
        "\(quoted(text)) is not an id. Use 1 to 128 ASCII letters, digits, dots, underscores or hyphens, "
            + "beginning with a letter or digit."
    }
}

extension AppID {
    package static func rule(for text: String) -> String {
        "\(quoted(text)) is not an app id. Use the bundle identifier: at most 155 ASCII letters, digits, dots, underscores or "
            + "hyphens, beginning with a letter or digit."
    }
}

extension Audience {
    package static func rule(for text: String) -> String {
        "\(quoted(text)) is not an audience. Use 1 to 32 lower-case ASCII letters, digits or hyphens, beginning with a "
            + "letter or digit, for example member."
    }
}

extension AppVersion {
    package static func rule(for text: String) -> String {
        "\(quoted(text)) is not a version. Use one to three integers separated by periods, for example 2.10.0."
    }
}

extension BuildNumber {
    package static func rule(for text: String) -> String {
        "\(quoted(text)) is not a build. Use one to three integers separated by periods, for example 512."
    }
}

extension AppBuild {
    package static func rule(for text: String) -> String {
        "\(quoted(text)) is not a version. Use one to three integers separated by periods, optionally with a plus sign and "
            + "a build, for example 2.1.0+512."
    }
}
