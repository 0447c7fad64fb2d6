/// The fields that more than one document has.
extension DocumentChecker {
    package mutating func itemID(_ json: JSON, at path: DocumentPath) -> ItemID? {
        guard let text = string(json, at: path) else { return nil }
        guard let id = ItemID(text.string) else {
            note(
                "id-invalid", at: path,
                "\(quoted(text.string)) is not an id. Use 1 to 128 ASCII letters, digits, dots, underscores or hyphens, "
                    + "beginning with a letter or digit.")
            return nil
        }
        return id
    }

    package mutating func appID(_ json: JSON, at path: DocumentPath) -> AppID? {
        guard let text = string(json, at: path) else { return nil }
        guard let app = AppID(text.string) else {
            note("id-invalid", at: path, AppID.rule(for: text.string))
            return nil
        }
        return app
    }

    /// 1-255 characters, no control characters.
    package mutating func type(_ json: JSON, at path: DocumentPath) -> Text? {
        guard let text = string(json, at: path) else { return nil }
        guard (1...255).contains(text.string.count), !text.string.unicodeScalars.contains(where: \.breaksALine) else {
            note(
                "type-invalid", at: path,
                "\(quoted(text.string)) is not a type. Use 1 to 255 characters without control characters.")
            return nil
        }
        return text
    }

    package mutating func actionURL(_ json: JSON, at path: DocumentPath) -> ActionURL? {
        guard let text = string(json, at: path) else { return nil }
        do throws(ActionURL.Refusal) {
            return try ActionURL(checking: text.string)
        } catch {
            switch error {
            case .invalid:
                note(
                    "url-invalid", at: path,
                    "\(quoted(text.string)) is not an absolute URI. Write it with its scheme, percent-encoded, "
                        + "for example notes://compose?folder=inbox.")
            case .tooLong:
                note(
                    "url-too-long", at: path,
                    "The URL has \(text.string.utf8.count) bytes and may have \(ActionURL.longest): shorten it.")
            case .scheme:
                note(
                    "url-scheme", at: path,
                    "\(quoted(text.string)) has a scheme that is refused. Use https or a scheme of the app's own.")
            }
            return nil
        }
    }

    package mutating func languageTag(_ text: Text, at path: DocumentPath) -> LanguageTag? {
        guard let tag = LanguageTag(text.string) else {
            note(
                "language-invalid", at: path,
                "\(quoted(text.string)) is not a language tag. Use BCP 47, for example en, pt-BR or zh-Hant.")
            return nil
        }
        return tag
    }

    package mutating func version(_ json: JSON, at path: DocumentPath) -> AppVersion? {
        guard let text = string(json, at: path) else { return nil }
        guard let version = AppVersion(text.string) else {
            note("invalid-version", at: path, AppVersion.rule(for: text.string))
            return nil
        }
        return version
    }

    package mutating func audience(_ json: JSON, at path: DocumentPath) -> Audience? {
        guard let text = string(json, at: path) else { return nil }
        guard let audience = Audience(text.string) else {
            note("audience-invalid", at: path, Audience.rule(for: text.string))
            return nil
        }
        return audience
    }

    package mutating func build(_ json: JSON, at path: DocumentPath) -> BuildNumber? {
        guard let text = string(json, at: path) else { return nil }
        guard let build = BuildNumber(text.string) else {
            note("invalid-version", at: path, BuildNumber.rule(for: text.string))
            return nil
        }
        return build
    }

    package mutating func icon(_ json: JSON, at path: DocumentPath) -> ShortcutIcon? {
        guard let icon = object(json, at: path, known: ["symbol", "file", "type"]) else { return nil }
        let symbol = icon.optional("symbol", &self) { checker, json, path in checker.assetName(json, at: path) }
        let file = icon.optional("file", &self) { checker, json, path in checker.assetName(json, at: path) }
        let type = icon.optional("type", &self) { checker, json, path in checker.iconType(json, at: path) }
        return symbol == nil && file == nil && type == nil ? nil : ShortcutIcon(symbol: symbol, file: file, type: type)
    }

    private mutating func assetName(_ json: JSON, at path: DocumentPath) -> Text? {
        guard let text = string(json, at: path) else { return nil }
        guard (1...255).contains(text.string.count), !text.string.unicodeScalars.contains(where: \.breaksALine) else {
            note(
                "text-invalid", at: path,
                "\(quoted(text.string)) is not an image's name. Use 1 to 255 characters without control characters.")
            return nil
        }
        return text
    }

    private mutating func iconType(_ json: JSON, at path: DocumentPath) -> SystemIconType? {
        let found: SystemIconType?
        let typed: String
        switch json {
        case .string(let text): (found, typed) = (SystemIconType(name: text.string), text.string)
        case .integer(let number): (found, typed) = (Int(exactly: number).flatMap(SystemIconType.init(rawValue:)), "\(number)")
        case .outOfRange(let number, isInteger: true): (found, typed) = (nil, number)
        default:
            mismatch(json, at: path, wanted: "a system icon type's name or number")
            return nil
        }
        guard let found else {
            let hint =
                SystemIconType.suggestion(for: typed).map { "Did you mean \"\($0.name)\"?" }
                ?? "Use one of: \(SystemIconType.allCases.map(\.name).joined(separator: ", "))."
            note("icon-type-unknown", at: path, "\(quoted(typed)) is not a system icon type. \(hint)")
            return nil
        }
        return found
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
        "\(quoted(text)) is not a version. Use one to three integers separated by periods, with the build behind a plus sign "
            + "where there is one, for example 2.1.0+512."
    }
}
