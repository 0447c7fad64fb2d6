import Foundation
import QuickActions

/// Readers for fields that several documents have.
extension DocumentChecker {
    /// Reads a string and parses it.
    /// - Parameter rule: makes the message for a text that `parse` rejects.
    func parsed<Value>(
        _ json: JSON, at path: DocumentPath, _ code: String, _ rule: (String) -> String, _ parse: (String) -> Value?
    ) -> Value? {
        guard let text = string(json, at: path)?.string else { return nil }
        let value = parse(text)
        if value == nil { note(code, at: path, rule(text)) }
        return value
    }

    func parsed<Value: TextParsable>(_ json: JSON, at path: DocumentPath, _ code: String) -> Value? {
        parsed(json, at: path, code, Value.rule) { Value($0) }
    }

    func revisionMessage(_ json: JSON, at path: DocumentPath) -> RevisionMessage? {
        parsed(json, at: path, "text-invalid")
    }

    package func itemID(_ json: JSON, at path: DocumentPath) -> ItemID? {
        parsed(json, at: path, "id-invalid")
    }

    package func appID(_ json: JSON, at path: DocumentPath) -> AppID? {
        parsed(json, at: path, "id-invalid")
    }

    package func version(_ json: JSON, at path: DocumentPath) -> AppVersion? {
        parsed(json, at: path, "invalid-version")
    }

    package func build(_ json: JSON, at path: DocumentPath) -> BuildNumber? {
        parsed(json, at: path, "invalid-version")
    }

    /// `2.1.0` or `2.1.0+512`.
    func appBuild(_ json: JSON, at path: DocumentPath) -> AppBuild? {
        parsed(json, at: path, "invalid-version")
    }

    package func audience(_ json: JSON, at path: DocumentPath) -> Audience? {
        parsed(json, at: path, "audience-invalid")
    }

    /// An RFC 3339 time (section 5.6) with an offset.
    package func instant(_ json: JSON, at path: DocumentPath) -> Timestamp? {
        parsed(json, at: path, "date-invalid")
    }

    /// The type of an item: 1 to 255 characters without control characters.
    package func type(_ json: JSON, at path: DocumentPath) -> Text? {
        line(json, at: path, upTo: 255, "type-invalid") {
            "\(quoted($0)) is not a type. Use 1 to 255 characters without control characters."
        }
    }

    /// Text of 1 to `maxCharacters` characters in at most 2,048 bytes, without line breaks and control characters.
    func line(
        _ json: JSON, at path: DocumentPath, upTo maxCharacters: Int, _ code: String, _ rule: (String) -> String
    ) -> Text? {
        func fits(_ text: String) -> Bool { isStored || text.utf8.count <= 2048 }
        func message(_ text: String) -> String {
            fits(text) ? rule(text) : "\(path) has \(text.utf8.count) bytes. Use at most 2048."
        }
        return parsed(json, at: path, code, message) { text in
            let isLine = (1...maxCharacters).contains(text.count) && !text.unicodeScalars.contains(where: \.isLineBreakOrControl)
            return isLine && fits(text) ? Text(text) : nil
        }
    }

    package func actionURL(_ json: JSON, at path: DocumentPath) -> ActionURL? {
        guard let text = string(json, at: path) else { return nil }
        return isStored || isActionURL(text.string, as: text, at: path) ? ActionURL(stored: text.string) : nil
    }

    /// - Parameter text: the URL as written, for messages.
    func isActionURL(_ url: String, as text: Text, at path: DocumentPath) -> Bool {
        do throws(ActionURL.ParseError) {
            _ = try ActionURL(checking: url)
            return true
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
                    "The URL has \(text.string.utf8.count) bytes. Use at most \(ActionURL.maxBytes).")
            case .scheme:
                note(
                    "url-scheme", at: path,
                    "\(quoted(text.string)) has a scheme that is not allowed. Use https or a scheme of the app.")
            }
            return false
        }
    }

    package func icon(_ json: JSON, at path: DocumentPath) -> ShortcutIcon? {
        guard let icon = object(json, at: path, known: ["symbol", "file", "type"]) else { return nil }
        let symbol = icon.optional("symbol", assetName)
        let file = icon.optional("file", assetName)
        let type = icon.optional("type", iconType)
        // A newer node may know more types.
        let unknown = isStored && type == nil ? icon.unknown(with: "type") : icon.unknown
        let read = ShortcutIcon(symbol: symbol, file: file, type: type, unknown: unknown)
        return read.isUnknown && unknown == .none ? nil : read
    }

    /// Base64 (RFC 4648 section 4). Line breaks are ignored, because the command `base64` wraps its output.
    /// - Parameter remedy: what to send, as a sentence.
    func base64(_ json: JSON, at path: DocumentPath, _ remedy: String) -> [UInt8]? {
        guard let text = string(json, at: path) else { return nil }
        guard let data = Data(base64Encoded: text.string.filter { !$0.isNewline }) else {
            note("data-invalid", at: path, "\(path) is not base64. \(remedy)")
            return nil
        }
        return Array(data)
    }

    private func assetName(_ json: JSON, at path: DocumentPath) -> Text? {
        line(json, at: path, upTo: 255, "text-invalid") {
            "\(quoted($0)) is not the name of an image. Use 1 to 255 characters without control characters."
        }
    }

    private func iconType(_ json: JSON, at path: DocumentPath) -> SystemIconType? {
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
            guard !isStored else { return nil }
            let hint =
                SystemIconType.suggestion(for: typed).map { "Did you mean \"\($0.name)\"?" }
                ?? "Use one of: \(SystemIconType.allCases.map(\.name).joined(separator: ", "))."
            note("icon-type-unknown", at: path, "\(quoted(typed)) is not a system icon type. \(hint)")
            return nil
        }
        return found
    }
}

extension DocumentChecker {
    /// The language of a text.
    /// - Parameter current: a language that stays valid although it does not exist, because the app already has it.
    func language(_ text: Text, at path: DocumentPath, current: LanguageTag? = nil) -> LanguageTag? {
        guard let tag = languageTag(text, at: path) else { return nil }
        guard !acceptsAnyLanguage, tag != current, tag.hasReservedLanguage else { return tag }
        note(
            "language-invalid", at: path,
            "\(quoted(text.string)) is not a language code. Codes have two or three letters: \(LanguageTag.example(for: text.string))."
        )
        return nil
    }

    /// A language tag or range.
    func languageTag(_ text: Text, at path: DocumentPath) -> LanguageTag? {
        guard let tag = LanguageTag(text.string) else {
            note(
                "language-invalid", at: path,
                "\(quoted(text.string)) is not a language tag. Use BCP 47, \(LanguageTag.example(for: text.string)).")
            return nil
        }
        return tag
    }
}

extension LanguageTag {
    /// Whether the language has four to eight letters: well-formed, but reserved or unregistered (RFC 5646 section 2.2.1).
    fileprivate var hasReservedLanguage: Bool { description.prefix { $0 != "-" }.utf8.count >= 4 }

    /// `use en for English` if the text is the English name of a language. Old Xcode projects name their folders so.
    fileprivate static func example(for text: String) -> String {
        guard let (name, code) = names.first(where: { $0.key.lowercased() == text.lowercased() }) else {
            return "for example en, pt-BR or zh-Hant"
        }
        return "use \(code) for \(name)"
    }

    /// The languages of iOS.
    private static let names = [
        "Arabic": "ar", "Catalan": "ca", "Chinese": "zh-Hans", "Croatian": "hr", "Czech": "cs", "Danish": "da", "Dutch": "nl",
        "English": "en", "Finnish": "fi", "French": "fr", "German": "de", "Greek": "el", "Hebrew": "he", "Hindi": "hi", "Hungarian": "hu",
        "Indonesian": "id", "Italian": "it", "Japanese": "ja", "Korean": "ko", "Malay": "ms", "Norwegian": "nb", "Polish": "pl",
        "Portuguese": "pt", "Romanian": "ro", "Russian": "ru", "Slovak": "sk", "Spanish": "es", "Swedish": "sv", "Thai": "th",
        "Turkish": "tr", "Ukrainian": "uk", "Vietnamese": "vi",
    ]
}
