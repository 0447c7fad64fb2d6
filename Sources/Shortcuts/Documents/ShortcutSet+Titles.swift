import QuickActions

extension ShortcutSet {
    /// An item without a title in the default language could not be served in a language it lacks.
    package func requireTitles(in language: LanguageTag) throws(Failure) {
        let checker = DocumentChecker()
        checkTitles(in: language, checker, at: .root)
        try checker.finish()
    }

    func checkTitles(in language: LanguageTag, _ checker: DocumentChecker, at path: DocumentPath) {
        for (index, item) in items.enumerated() where item.titles[language] == nil {
            let path = path["items"][index]["title"][Text(language.description)]
            checker.note(
                "title-missing", at: path, "\(path) is missing: every item needs a title in the app's default language.")
        }
    }
}
