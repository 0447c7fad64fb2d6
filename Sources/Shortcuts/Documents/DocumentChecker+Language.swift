import QuickActions

extension DocumentChecker {
    /// The language of a text.
    /// - Parameter standing: a language that stays valid although it does not exist, because the app already has it.
    func language(_ text: Text, at path: DocumentPath, standing: LanguageTag? = nil) -> LanguageTag? {
        guard let tag = languageTag(text, at: path) else { return nil }
        guard !acceptsAnyLanguage, tag != standing, tag.hasReservedLanguage else { return tag }
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
