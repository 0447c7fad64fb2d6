import QuickActions

/// The document of a set, as `PUT` accepts it. Reading collects all violations.
package struct ShortcutSetDocument {
    static let maxItems = 20
    static let maxLanguages = 64
    static let maxReplaced = 20
    static let maxRetired = 100

    private let json: JSON
    /// The language in which every item must have a title; nil to skip the check.
    private let defaultLanguage: LanguageTag?
    /// See `DocumentChecker.isStored`; `userInfo` sizes and id rules are not checked again either.
    private let isStored: Bool

    package init(_ json: JSON, defaultLanguage: LanguageTag) {
        self.init(json, titlesIn: defaultLanguage)
    }

    init(_ json: JSON, titlesIn language: LanguageTag?) {
        self.json = json
        defaultLanguage = language
        isStored = false
    }

    init(stored json: JSON) {
        self.json = json
        defaultLanguage = nil
        isStored = true
    }

    package func checked() throws(Failure) -> ShortcutSet {
        let checker = DocumentChecker(isStored: isStored)
        let set = read(checker)
        try checker.finish()
        guard let set else { throw .invalidDocument([]) }
        return set
    }

    /// - Returns: the set; nil after a violation was noted.
    package func read(_ checker: DocumentChecker, at path: DocumentPath = .root) -> ShortcutSet? {
        let before = checker.violationCount
        guard let document = checker.object(json, at: path, known: ["items", "retired", "fallbackURL"]) else { return nil }
        if !document.has("items") {
            checker.note(
                "required", at: document.path(of: "items"), "items is missing. To clear the menu, send [].")
        }
        let items = document.list("items", atMost: Self.maxItems) { item($0, at: $1, checker) }
        let retired = document.list("retired", atMost: Self.maxRetired) { retiredItem($0, at: $1, checker) }
        let fallbackURL = document.optional("fallbackURL", checker.actionURL)
        if !isStored { ReplacementRules(of: json, at: path).check(checker) }
        guard checker.violationCount == before else { return nil }
        return ShortcutSet(items: items, retired: retired, fallbackURL: fallbackURL, unknown: document.unknown)
    }

    private func retiredItem(_ json: JSON, at path: DocumentPath, _ checker: DocumentChecker) -> RetiredItem? {
        guard let entry = checker.object(json, at: path, known: ["id", "url"]) else { return nil }
        let id = entry.required("id", checker.itemID)
        let url = entry.optional("url", checker.actionURL)
        return id.map { RetiredItem(id: $0, url: url, unknown: entry.unknown) }
    }
}

extension ShortcutSetDocument {
    private static let itemMembers: Set<String> = [
        "id", "type", "title", "subtitle", "icon", "url", "userInfo", "targetContentIdentifier", "enabled", "replaces", "personal",
    ]

    private func item(_ json: JSON, at path: DocumentPath, _ checker: DocumentChecker) -> ShortcutItem? {
        guard let object = checker.object(json, at: path, known: Self.itemMembers) else { return nil }
        let id = object.required("id", checker.itemID)
        let type = object.required("type", checker.type)
        let titles = object.required("title") { json, path in
            localizedText(json, at: path, checker, rule: .title)
        }
        let subtitles = object.optional("subtitle") { json, path in
            localizedText(json, at: path, checker, rule: .subtitle)
        }
        let icon = object.optional("icon", checker.icon)
        let isPersonal = object.has("personal")
        let url = object.optional("url", isPersonal ? checker.templateURL : checker.actionURL)
        let userInfo = object.optional("userInfo", checker.userInfo)
        if !isStored, let userInfo { checker.checkSize(of: userInfo, at: object.path(of: "userInfo")) }
        let target = object.optional("targetContentIdentifier", checker.shortString)
        let isEnabled = object.boolean("enabled") ?? true
        let replaces = object.list("replaces", atMost: Self.maxReplaced, checker.itemID)
        let personal = object.optional("personal", checker.personalRule)
        if !isStored, isPersonal { PlaceholderRules.check(object, personal, language: defaultLanguage) }
        guard let id, let type, let titles else { return nil }
        return ShortcutItem(
            id: id, type: type, titles: titles, subtitles: subtitles ?? .empty, icon: icon, url: url,
            userInfo: userInfo ?? .empty, targetContentIdentifier: target, isEnabled: isEnabled, replaces: replaces,
            personal: personal, unknown: object.unknown)
    }

    private func localizedText(
        _ json: JSON, at path: DocumentPath, _ checker: DocumentChecker, rule: LocalizedTextRule
    ) -> LocalizedText? {
        guard case .object(let members) = json else {
            checker.mismatch(json, at: path, wanted: "an object of texts by language, for example {\"en\": \"New Note\"}")
            return nil
        }
        let rows = rule.rows(checker, members, path, current: defaultLanguage)
        if !isStored, members.count > Self.maxLanguages {
            checker.note(
                "too-many-items", at: path, "\(path) has \(members.count) languages. Use at most \(Self.maxLanguages).")
        }
        if rule == .title, let defaultLanguage, !rows.contains(where: { $0.language == defaultLanguage }) {
            let missing = path[Text(defaultLanguage.description)]
            let isThere = members.contains { LanguageTag($0.name.string) == defaultLanguage && !$0.value.isNull }
            if !isThere {
                checker.note("title-missing", at: missing, "\(missing) is missing. Every item needs a title in the app's default language.")
            }
        }
        return LocalizedText(rows: rows)
    }
}
