import QuickActions

extension AppSnapshot {
    /// Validates a new default language: every published item needs a title in it, because it is served if an item lacks the client's
    /// language.
    /// - Throws: `conflict`, with a violation per item.
    package func requireTitles(in language: LanguageTag) throws(Failure) {
        var violations: [Violation] = []
        for timeline in timelines.values.sorted(by: { $0.audience < $1.audience }) {
            for published in timeline.sets {
                for item in published.set.items where item.titles[language] == nil {
                    violations.append(
                        Violation(
                            path: "defaultLanguage", code: "title-missing",
                            message: "The item \(quoted(item.id.description)) of the set of \(published.version) (audience "
                                + "\(timeline.audience)) has no title in \(language). Publish one first."))
                }
            }
        }
        guard violations.isEmpty else {
            throw Failure(
                .conflict, "The published sets have no titles in \(language). Add them, then change the default language.",
                violations: violations)
        }
    }
}
