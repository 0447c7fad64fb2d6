import QuickActions

/// How long a title or subtitle may be, and what it may hold. Characters are grapheme clusters, as people count them.
enum LocalizedTextRule {
    case title, subtitle

    private var maxCharacters: Int { self == .title ? 100 : 200 }
    private var maxBytes: Int { self == .title ? 1024 : 2048 }
    private var tooLong: String { self == .title ? "title-too-long" : "subtitle-too-long" }

    /// The rows that are right; what is wrong with the others is noted.
    func rows(_ checker: DocumentChecker, _ members: [JSON.Member], _ path: DocumentPath) -> [LocalizedText.Row] {
        var spelled: [LanguageTag: Text] = [:]
        var rows: [LocalizedText.Row] = []
        for member in members where !member.value.isNull {
            let path = path[member.name]
            let language = checker.languageTag(member.name, at: path)
            let text = checker.string(member.value, at: path).flatMap { fitting($0, checker, path) }
            guard let language else { continue }
            if let previous = spelled.updateValue(member.name, forKey: language.preferred) {
                checker.note(
                    "duplicate-language", at: path,
                    "\(quoted(member.name.string)) and \(quoted(previous.string)) are one language: keep one of them.")
            } else if let text {
                rows.append(LocalizedText.Row(language: language, text: text))
            }
        }
        return rows
    }

    /// The text, and nil where a violation was noted.
    private func fitting(_ text: Text, _ checker: DocumentChecker, _ path: DocumentPath) -> Text? {
        let before = checker.violationCount
        if self == .title, text.string.unicodeScalars.allSatisfy({ $0.properties.isWhitespace }) {
            checker.note("title-empty", at: path, "\(path) is empty: write what the action does.")
        }
        if let scalar = text.string.unicodeScalars.first(where: { $0.isLineBreakOrControl }) {
            checker.note(
                "text-invalid", at: path,
                "\(path) holds the control character or line break U+\(scalar.hexText): a menu row is one line, remove it.")
        }
        // A character has a byte at least, so that short texts need not be counted.
        let bytes = text.string.utf8.count
        let characters = bytes > maxCharacters ? text.string.count : bytes
        if characters > maxCharacters || bytes > maxBytes {
            checker.note(
                tooLong, at: path,
                "\(path) has \(characters) characters in \(bytes) bytes and may have \(maxCharacters) in \(maxBytes): shorten it."
            )
        }
        return checker.violationCount == before ? text : nil
    }
}
