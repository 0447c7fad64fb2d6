import QuickActions

/// The menu of a client after its launch: its release's static items, then the items of the answer, including those that are not visible.
package struct Preview: Sendable {
    package struct Entry: Sendable {
        let kind: Simulation.Entry.Kind
        /// Nil for a static item.
        let id: ItemID?
        let type: Text
        /// For a static item the key into `InfoPlist.strings`, which the server does not have.
        let title: Text
        let subtitle: Text?
        let icon: ShortcutIcon?
        let url: ActionURL?
        /// Nil unless the item is personal. The texts have its sample values then.
        let personal: PersonalRule?
    }

    package let app: AppID
    package let client: AppBuild
    /// The audience that is served: the requested one, or `default`.
    package let audience: Audience
    package let language: LanguageTag
    package let visibleBudget: Int
    /// In the order of the menu; the system shows the first four.
    package let entries: [Entry]
    /// The client's answer; nil for a client older than every set, which keeps the registered items.
    package let answer: ShortcutsAnswer?
    /// Whether the answer is from a draft.
    package let isDraft: Bool

    /// - Parameter drafts: drafts to show as if they were published.
    package init(for client: Client, in snapshot: AppSnapshot, publishing drafts: [Draft] = []) {
        let published = snapshot.publishing(drafts)
        let answer = ShortcutsAnswer(for: client, in: published)
        app = snapshot.app.id
        self.client = client.build
        self.answer = answer
        audience = published.timeline(for: client.audience).audience
        language = answer?.language ?? snapshot.app.defaultLanguage
        let release = snapshot.release(for: client.build)
        visibleBudget = release?.visibleBudget ?? visibleMenuItems
        entries = (release?.staticItems ?? []).map(Entry.init) + (answer?.entries ?? [])
        let shown = answer.map { SetName(version: $0.effective.version, audience: $0.audience) }
        isDraft = drafts.contains { SetName($0) == shown }
    }

    package var json: JSON {
        [
            "app": .string(app), "version": .string(client), "audience": .string(audience), "language": .string(language),
            "visibleBudget": .integer(Int64(visibleBudget)), "draft": .boolean(isDraft),
            "menu": .array(entries.prefix(visibleMenuItems).map { $0.json(isVisible: true) }),
            "hidden": .array(entries.dropFirst(visibleMenuItems).map { $0.json(isVisible: false) }), "answer": answer?.json ?? .null,
        ]
    }
}

extension Preview.Entry {
    fileprivate init(_ item: StaticItem) {
        self.init(
            kind: .static, id: nil, type: item.type, title: item.title, subtitle: item.subtitle, icon: item.icon, url: nil, personal: nil)
    }

    fileprivate func json(isVisible: Bool) -> JSON {
        [
            "kind": .string(kind.rawValue), "id": .optional(id), "type": .string(type), "title": .string(title),
            "subtitle": .optional(subtitle?.string), "icon": icon?.json ?? .null, "url": .optional(url), "visible": .boolean(isVisible),
            "personal": personal.map { ["source": .string($0.source), "limit": .integer(Int64($0.limit))] },
        ]
    }
}

extension ShortcutsAnswer {
    fileprivate var entries: [Preview.Entry] {
        effective.set.enabledItems.map { item in
            let row = item.previewRow(row(of: item))
            return Preview.Entry(
                kind: .dynamic, id: item.id, type: item.type, title: row.title, subtitle: row.subtitle, icon: item.icon,
                url: item.previewURL,
                personal: item.personal)
        }
    }
}
