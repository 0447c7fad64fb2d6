import QuickActions

/// A text in several languages, sorted by canonical tag.
package struct LocalizedText: Hashable, Sendable {
    package struct Row: Hashable, Sendable {
        package let language: LanguageTag
        package let text: Text
    }

    package let rows: [Row]

    package static let empty = LocalizedText(rows: [])

    package init(rows: [Row]) {
        self.rows = rows.sorted { $0.language < $1.language }
    }

    package subscript(language: LanguageTag) -> Text? {
        rows.first { $0.language == language }?.text
    }
}

/// The rules for titles and subtitles. Characters are grapheme clusters.
enum LocalizedTextRule {
    case title, subtitle

    private var maxCharacters: Int { self == .title ? 100 : 200 }
    private var maxBytes: Int { self == .title ? 1024 : 2048 }
    private var tooLong: String { self == .title ? "title-too-long" : "subtitle-too-long" }

    /// Reads the rows. Invalid rows are noted and left out.
    /// - Parameter current: the app's default language.
    func rows(
        _ checker: DocumentChecker, _ members: [JSON.Member], _ path: DocumentPath, current: LanguageTag?
    ) -> [LocalizedText.Row] {
        var seen: [LanguageTag: Text] = [:]
        var rows: [LocalizedText.Row] = []
        for member in members where !member.value.isNull {
            let path = path[member.name]
            let language = checker.language(member.name, at: path, current: current)
            let text = checker.string(member.value, at: path).flatMap { validated($0, checker, path) }
            guard let language else { continue }
            if let previous = seen.updateValue(member.name, forKey: language.preferred) {
                checker.note(
                    "duplicate-language", at: path,
                    "\(quoted(member.name.string)) and \(quoted(previous.string)) are the same language. Keep one of them.")
            } else if let text {
                rows.append(LocalizedText.Row(language: language, text: text))
            }
        }
        return rows
    }

    /// The text, or nil after violations were noted.
    private func validated(_ text: Text, _ checker: DocumentChecker, _ path: DocumentPath) -> Text? {
        let before = checker.violationCount
        if self == .title, text.string.unicodeScalars.allSatisfy({ $0.properties.isWhitespace }) {
            checker.note("title-empty", at: path, "\(path) is empty. Describe the action.")
        }
        if let scalar = text.string.unicodeScalars.first(where: { $0.isLineBreakOrControl }) {
            checker.note(
                "text-invalid", at: path,
                "\(path) has the control character or line break U+\(scalar.hexText), but a menu row is one line. Remove it.")
        }
        // A character has at least one byte, so characters are counted only for long texts.
        let bytes = text.string.utf8.count
        let characters = bytes > maxCharacters ? text.string.count : bytes
        if !checker.isStored, characters > maxCharacters || bytes > maxBytes {
            checker.note(
                tooLong, at: path,
                "\(path) has \(characters) characters (\(bytes) bytes). Use at most \(maxCharacters) (\(maxBytes) bytes)."
            )
        }
        return checker.violationCount == before ? text : nil
    }
}
