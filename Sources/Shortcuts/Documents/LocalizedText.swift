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
