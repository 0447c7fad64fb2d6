import QuickActions

/// The menu between an update and its first launch: the new version's static items, followed by the dynamic items that the old version
/// registered, with the resolution of a tap on each. Also the menu after the first launch.
package struct Simulation: Sendable {
    package struct Entry: Sendable {
        package enum Kind: String, Sendable {
            case `static`, dynamic
        }

        package let kind: Kind
        /// Nil for a static item.
        package let id: ItemID?
        package let type: Text
        /// For a static item the key into `InfoPlist.strings`, which the server does not have.
        package let title: Text
        package let subtitle: Text?
        package let tap: TapResolution
        /// The title of the item that the tap acts on.
        package let targetTitle: Text?
    }

    /// All items in the order of the menu; the system shows the first four.
    package struct Menu: Sendable {
        package let entries: [Entry]

        package var shown: ArraySlice<Entry> { entries.prefix(visibleMenuItems) }
        package var hidden: ArraySlice<Entry> { entries.dropFirst(visibleMenuItems) }
    }

    /// A change that the first launch makes to the dynamic items, in the simulated language only.
    package struct Change: Sendable {
        package let added: [ItemID]
        package let removed: [ItemID]
        package let changed: [ItemID]
    }

    package let app: AppID
    package let from: AppBuild
    package let to: AppBuild
    /// The audience that is served: the requested one, or `default`.
    package let audience: Audience
    package let language: LanguageTag
    package let menu: Menu
    package let afterLaunch: Menu
    package let change: Change
    /// Whether a set is in effect for the new version. Without one, the app keeps the registered items.
    package let hasNewSet: Bool

    /// Simulates an update, or a downgrade if `from` is above `to`.
    package init(
        from: AppBuild, to: AppBuild, audience: Audience = .default, language: LanguagePreference = .none, in snapshot: AppSnapshot
    ) {
        func answer(to build: AppBuild) -> ShortcutsAnswer? {
            ShortcutsAnswer(for: Client(build: build, audience: audience, language: language), in: snapshot)
        }
        let device = Device(installed: to, language: language, snapshot: snapshot)
        let (registered, current) = (answer(to: from), answer(to: to))
        app = snapshot.app.id
        self.from = from
        self.to = to
        self.audience = snapshot.timeline(for: audience).audience
        self.language = (registered ?? current)?.language ?? snapshot.app.defaultLanguage
        menu = device.menu(registered)
        afterLaunch = device.menu(current ?? registered)
        change = Change(from: registered, to: current ?? registered)
        hasNewSet = current != nil
    }
}

/// The device after the update: the new version is installed, the language preference is unchanged.
private struct Device {
    let installed: AppBuild
    let language: LanguagePreference
    let snapshot: AppSnapshot

    func menu(_ registered: ShortcutsAnswer?) -> Simulation.Menu {
        let dynamicItems = registered.map { answer in answer.effective.set.enabledItems.map { entry($0, in: answer) } }
        return Simulation.Menu(
            entries: (snapshot.release(for: installed)?.staticItems ?? []).map(entry) + (dynamicItems ?? []))
    }

    private func entry(_ item: StaticItem) -> Simulation.Entry {
        let (tap, targetTitle) = tap(item.type, item.userInfo.members.map { JSON.Member($0.key, $0.value.json) })
        return Simulation.Entry(
            kind: .static, id: nil, type: item.type, title: item.title, subtitle: item.subtitle, tap: tap, targetTitle: targetTitle)
    }

    private func entry(_ item: ShortcutItem, in answer: ShortcutsAnswer) -> Simulation.Entry {
        let row = item.previewRow(answer.row(of: item))
        let (tap, targetTitle) = tap(item.type, answer.userInfo(of: item))
        return Simulation.Entry(
            kind: .dynamic, id: item.id, type: item.type, title: row.title, subtitle: row.subtitle, tap: tap, targetTitle: targetTitle)
    }

    private func tap(_ type: Text, _ userInfo: [JSON.Member]) -> (TapResolution, targetTitle: Text?) {
        let tap = Tap(installed: installed, type: type, userInfo: userInfo, audience: nil, language: language)
        let (resolution, answer) = snapshot.resolve(tap)
        return (resolution, resolution.item.flatMap { item in answer.map { item.previewRow($0.row(of: item)).title } })
    }
}

extension Simulation.Change {
    fileprivate init(from old: ShortcutsAnswer?, to new: ShortcutsAnswer?) {
        func appearances(in answer: ShortcutsAnswer?) -> [(ItemID, Appearance)] {
            answer.map { answer in answer.effective.set.enabledItems.map { ($0.id, Appearance(of: $0, in: answer)) } } ?? []
        }
        let (before, after) = (appearances(in: old), appearances(in: new))
        let previous = Dictionary(before, uniquingKeysWith: { first, _ in first })
        let kept = Set(after.map(\.0))
        added = after.filter { previous[$0.0] == nil }.map(\.0)
        removed = before.filter { !kept.contains($0.0) }.map(\.0)
        changed = after.filter { id, appearance in previous[id].map { $0 != appearance } ?? false }.map(\.0)
    }
}

/// The title, subtitle, icon and action of an item in one language.
private struct Appearance: Equatable {
    let title: Text
    let subtitle: Text?
    let icon: ShortcutIcon?
    let action: String

    init(of item: ShortcutItem, in answer: ShortcutsAnswer) {
        let row = answer.row(of: item)
        (title, subtitle, icon) = (row.title, row.subtitle, item.icon)
        action = item.actionHash
    }
}

extension Simulation {
    /// The simulation as text for a terminal: the menu, the effect of each tap in words, and the changes of the first launch.
    package var drawing: String {
        let sections = [
            ["\(app) \(from) → \(to), updated and not launched yet (audience \(audience), language \(language))"],
            ["The icon at the top of the screen: the first item is the upper one"] + column(last: "└"),
            ["The icon at the bottom of the screen: the first item is the lower one"] + column(last: "┌").reversed(),
            ["A tap before the first launch"] + taps, firstLaunch,
        ]
        return sections.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    /// The icon and the rows of the menu. The row next to the icon is first.
    private func column(last corner: String) -> [String] {
        guard !menu.shown.isEmpty else { return ["  ▣ (no menu: no item is registered)"] }
        let rows = menu.shown.enumerated().map { place, entry in
            "  \(place == menu.shown.count - 1 ? corner : "├") \(entry.row)"
        }
        return ["  ▣"] + rows
    }

    private var taps: [String] {
        guard !menu.entries.isEmpty else { return ["  There is nothing to tap."] }
        return menu.entries.enumerated().map { place, entry in
            "  \(place + 1). \(entry.row): \(entry.consequence)" + (place < visibleMenuItems ? "" : " (registered, not shown)")
        }
    }

    private var firstLaunch: [String] {
        guard hasNewSet else {
            return ["The first launch of \(to)", "  No set is in effect for \(to). The app keeps the registered items."]
        }
        let isSame = change.added.isEmpty && change.removed.isEmpty && change.changed.isEmpty
        let changes =
            change.added.map { "  + \($0)" } + change.removed.map { "  - \($0)" } + change.changed.map { "  ~ \($0)" }
        return ["The first launch of \(to)"] + (isSame ? ["  registers the same items with its own version."] : changes)
            + ["  shows: " + (afterLaunch.shown.isEmpty ? "no menu" : afterLaunch.shown.map(\.title.onOneLine).joined(separator: ", "))]
    }
}

extension Simulation.Entry {
    fileprivate var row: String {
        let subtitle = subtitle.map { " – \($0.onOneLine)" } ?? ""
        return title.onOneLine + subtitle + (kind == .static ? " [static]" : "")
    }

    /// The effect of the tap, in words.
    fileprivate var consequence: String {
        let target = "\(tap.item?.id.description ?? "") (\(targetTitle?.onOneLine ?? ""))"
        let fallback = tap.url.map { "opens \($0)" } ?? "just opens the app"
        let meaning =
            switch tap.outcome {
            case .current: "does what it says"
            case .equivalent: "does what it says, as registered from another revision or language"
            case .changed: "does what \(target) does now"
            case .replaced: "acts on \(target), which replaces it"
            case .untagged: "acts on \(target), the only item of its type"
            case .static: "the app acts on its type \(type.onOneLine)"
            case .retired: "the item was retired, \(fallback)"
            case .removed: "the item was removed without a rule, \(fallback)"
            case .unknown: "the item is unknown, \(fallback)"
            }
        return "\(tap.outcome.rawValue), \(meaning)"
    }
}

extension Text {
    /// With line breaks and control characters replaced: an Info.plist may contain them, and a terminal would interpret them.
    fileprivate var onOneLine: String {
        String(String.UnicodeScalarView(string.unicodeScalars.map { $0.isLineBreakOrControl ? "\u{FFFD}" : $0 }))
    }
}

extension Simulation {
    package var json: JSON {
        let titles: [JSON] = menu.shown.map { .string($0.title) }
        // From the top of the screen down, by the position of the app's icon.
        return [
            "app": .string(app), "from": .string(from), "to": .string(to), "audience": .string(audience), "language": .string(language),
            "menu": menu.shownJSON, "hidden": menu.hiddenJSON, "positions": ["top": .array(titles), "bottom": .array(titles.reversed())],
            "afterLaunch": [
                "menu": afterLaunch.shownJSON, "hidden": afterLaunch.hiddenJSON, "added": .strings(change.added),
                "removed": .strings(change.removed), "changed": .strings(change.changed),
            ],
        ]
    }
}

extension Simulation.Menu {
    fileprivate var shownJSON: JSON { .array(shown.map { $0.json(isVisible: true) }) }
    fileprivate var hiddenJSON: JSON { .array(hidden.map { $0.json(isVisible: false) }) }
}

extension Simulation.Entry {
    fileprivate func json(isVisible: Bool) -> JSON {
        [
            "kind": .string(kind.rawValue), "id": .optional(id), "type": .string(type), "title": .string(title),
            "subtitle": subtitle.map { .string($0) }, "visible": .boolean(isVisible),
            "tap": [
                "outcome": .string(tap.outcome.rawValue), "origin": .string(tap.origin.rawValue),
                "item": .optional(tap.item?.id.description), "url": .optional(tap.url), "refresh": .boolean(tap.refresh),
            ],
        ]
    }
}
