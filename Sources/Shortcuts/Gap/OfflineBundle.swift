import QuickActions

/// The document that an app bundles to work without a network: the menu in all its languages, and the resolution of every id
/// (`Continuity`). The same revision gives the same bytes.
package struct OfflineBundle: Sendable {
    private var continuity: Continuity
    /// One per language, ascending by tag.
    private var answers: [ShortcutsAnswer]
    private let defaultLanguage: LanguageTag

    /// Nil for a version older than every set.
    package init?(for client: AppBuild, _ audience: Audience, in snapshot: AppSnapshot) {
        guard let continuity = Continuity(for: client.version, audience, in: snapshot) else { return nil }
        self.continuity = continuity
        defaultLanguage = snapshot.app.defaultLanguage
        let titled = continuity.effective.set.enabledItems.flatMap { $0.titles.rows.map(\.language) }
        answers = Set(titled + [defaultLanguage]).sorted().compactMap { language in
            ShortcutsAnswer(for: Client(build: client, audience: audience, language: .exactly(language)), in: snapshot)
        }
    }

    /// A template for all clients with this menu: placeholders stand for the version.
    package var withPlaceholders: OfflineBundle {
        var bundle = self
        bundle.continuity = continuity.withPlaceholders
        bundle.answers = answers.map(\.withPlaceholders)
        return bundle
    }

    package var json: JSON {
        [
            "app": .string(continuity.app), "version": .string(continuity.written), "audience": .string(continuity.audience),
            "revision": .integer(continuity.effective.revision), "continuity": continuity.json, "shortcuts": byLanguage(\.json),
            "disabled": byLanguage(\.disabledItems), "defaultLanguage": .string(defaultLanguage),
        ]
    }

    private func byLanguage(_ part: (ShortcutsAnswer) -> JSON) -> JSON {
        .object(answers.map { JSON.Member(Text($0.language.description), part($0)) })
    }
}

extension ShortcutsAnswer {
    /// The disabled items. The menu does not contain them, but taps may resolve to them.
    fileprivate var disabledItems: JSON { .array(effective.set.items.filter { !$0.isEnabled }.map(json)) }
}
