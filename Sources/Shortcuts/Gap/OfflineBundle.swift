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
            "revision": .integer(continuity.effective.revision), "continuity": continuity.json,
            "shortcuts": byLanguage { $0.json(isBundled: true) },
            "disabled": byLanguage(\.disabledItems), "defaultLanguage": .string(defaultLanguage),
            "disabledPersonal": hasDisabledPersonalItems ? byLanguage(\.disabledPersonalItems) : nil,
        ]
    }

    private var hasDisabledPersonalItems: Bool {
        continuity.effective.set.items.contains { !$0.isEnabled && $0.personal != nil }
    }

    private func byLanguage(_ part: (ShortcutsAnswer) -> JSON) -> JSON {
        .object(answers.map { JSON.Member(Text($0.language.description), part($0)) })
    }
}

/// The bundles of all audiences with a timeline in one document: the bundle of one of them, with the others in `audiences`. A client that
/// does not know `audiences` reads the first.
package struct AudienceBundles: Sendable {
    private var first: OfflineBundle
    /// Ascending by audience. Nil for an audience whose sets all start at later versions.
    private var others: [(audience: Audience, bundle: OfflineBundle?)]

    /// The first is that of `default`, or else of the first audience with a set in effect.
    /// - Returns: nil if no set is in effect for any audience.
    package init?(for client: AppBuild, in snapshot: AppSnapshot) {
        let audiences = [.default] + snapshot.timelines.keys.filter { $0 != .default }.sorted()
        var bundles = audiences.map { (audience: $0, bundle: OfflineBundle(for: client, $0, in: snapshot)) }
        guard let index = bundles.firstIndex(where: { $0.bundle != nil }), let first = bundles.remove(at: index).bundle else { return nil }
        self.first = first
        others = bundles.sorted { $0.audience < $1.audience }
    }

    /// See `OfflineBundle.withPlaceholders`.
    package var withPlaceholders: AudienceBundles {
        var bundles = self
        bundles.first = first.withPlaceholders
        bundles.others = others.map { ($0, $1?.withPlaceholders) }
        return bundles
    }

    package var json: JSON {
        first.json.adding(
            "audiences", .object(others.map { JSON.Member(Text($0.audience.description), $0.bundle?.json ?? .null) }))
    }
}

extension ShortcutsAnswer {
    /// The disabled items. The menu does not contain them, but taps may resolve to them.
    var disabledItems: JSON { .array(effective.set.items.filter { !$0.isEnabled && $0.personal == nil }.map(json)) }

    var disabledPersonalItems: JSON { .array(effective.set.items.filter { !$0.isEnabled }.compactMap(personalJSON)) }
}
