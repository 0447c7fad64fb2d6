import QuickActions

/// The content of a draft.
package struct DraftContent: Sendable {
    /// The set. Of an incomplete document, it has the parts that are valid, so that previews can show them.
    package let set: ShortcutSet
    /// The document as it was saved, if it cannot be published; nil if it can.
    package let incomplete: JSON?
    /// What prevents a publish.
    package let violations: [Violation]

    package init(_ set: ShortcutSet) {
        (self.set, incomplete, violations) = (set, nil, [])
    }

    /// The longest text that an incomplete draft may have, in bytes. Every text with a limit in characters is shorter.
    private static let maxTextBytes = 4096

    /// - Throws: `invalidDocument` if the document has unknown members, values of wrong JSON types, texts of more than 4,096 bytes, or more
    ///   than a property list may hold.
    package init(incomplete json: JSON, defaultLanguage: LanguageTag) throws(Failure) {
        let checker = DocumentChecker()
        let read = ShortcutSetDocument(json, defaultLanguage: defaultLanguage).read(checker)
        let all = checker.violations
        guard checker.violationCount == all.count, !all.contains(where: \.preventsSaving), !json.hasText(longerThan: Self.maxTextBytes)
        else {
            try checker.finish()
            throw .invalidDocument([
                Violation(
                    path: "", code: "text-invalid", message: "The document has a text of more than \(Self.maxTextBytes) bytes. Shorten it.")
            ])
        }
        violations = all
        incomplete = all.isEmpty ? nil : json
        set = read ?? Self.validPart(of: json, defaultLanguage)
    }

    /// The items, rules and URL of a document that are valid. Empty if they contradict each other.
    private static func validPart(of json: JSON, _ language: LanguageTag) -> ShortcutSet {
        func isValid(_ part: JSON) -> Bool { read(part, language) != nil }
        func elements(_ name: Text) -> [JSON] { if case .array(let elements)? = json[name] { elements } else { [] } }
        var items: [JSON] = []
        var ids: Set<Text> = []
        // The limits bound the work for a document with many more elements.
        for item in elements("items") where items.count < ShortcutSetDocument.maxItems && isValid(["items": .array([item])]) {
            guard let id = item.members.text("id"), ids.insert(id).inserted else { continue }
            items.append(item)
        }
        let retired = Array(
            elements("retired").lazy.filter { isValid(["items": [], "retired": .array([$0])]) }.prefix(ShortcutSetDocument.maxRetired))
        let fallbackURL = json["fallbackURL"].flatMap { isValid(["items": [], "fallbackURL": $0]) ? $0 : nil }
        let whole: JSON = ["items": .array(items), "retired": .array(retired), "fallbackURL": fallbackURL]
        return read(whole, language) ?? read(["items": .array(items)], language) ?? read(["items": []], language)
            ?? ShortcutSet(items: [], retired: [], fallbackURL: nil)
    }

    private static func read(_ json: JSON, _ language: LanguageTag) -> ShortcutSet? {
        try? ShortcutSetDocument(json, defaultLanguage: language).checked()
    }
}

extension JSON {
    fileprivate func hasText(longerThan limit: Int) -> Bool {
        switch self {
        case .string(let text): text.string.utf8.count > limit
        case .array(let elements): elements.contains { $0.hasText(longerThan: limit) }
        case .object(let members): members.contains { $0.name.string.utf8.count > limit || $0.value.hasText(longerThan: limit) }
        default: false
        }
    }
}

extension Violation {
    /// Whether a document with this violation cannot be saved as an incomplete draft.
    fileprivate var preventsSaving: Bool {
        [
            "type-mismatch", "unknown-member", "integer-out-of-range", "real-out-of-range", "userinfo-null", "userinfo-too-deep",
            "userinfo-too-large", "userinfo-key-reserved", "marker-invalid", "data-invalid", "date-invalid",
        ].contains(code)
    }
}
