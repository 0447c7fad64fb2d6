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
        let row = answer.row(of: item)
        let (tap, targetTitle) = tap(item.type, answer.userInfo(of: item))
        return Simulation.Entry(
            kind: .dynamic, id: item.id, type: item.type, title: row.title, subtitle: row.subtitle, tap: tap, targetTitle: targetTitle)
    }

    private func tap(_ type: Text, _ userInfo: [JSON.Member]) -> (TapResolution, targetTitle: Text?) {
        let tap = Tap(installed: installed, type: type, userInfo: userInfo, audience: nil, language: language)
        let (resolution, answer) = snapshot.resolve(tap)
        return (resolution, resolution.item.flatMap { answer?.row(of: $0).title })
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
