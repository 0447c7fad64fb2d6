import QuickActions

/// The menu that a person sees after an update and before its first launch: the new version's static items and, behind
/// them, what the old version registered. Beside it, what the first launch makes of it.
package struct Simulation: Sendable {
    package struct Entry: Sendable {
        package enum Kind: String, Sendable {
            case `static`, dynamic
        }

        package let kind: Kind
        /// Nil for a static item.
        package let id: ItemID?
        package let type: Text
        /// A static item's is a key into `InfoPlist.strings`, which a server does not know.
        package let title: Text
        package let subtitle: Text?
        package let tap: TapResolution
        /// The title of the item that the tap acts on.
        package let landing: Text?
    }

    /// Everything that is registered, in assignment order: the system shows the first four.
    package struct Menu: Sendable {
        package let entries: [Entry]

        package var shown: ArraySlice<Entry> { entries.prefix(visibleMenuItems) }
        package var hidden: ArraySlice<Entry> { entries.dropFirst(visibleMenuItems) }
    }

    /// What the first launch does to the registered dynamic items, as this person sees them: a change of a language that is
    /// not shown is none.
    package struct Change: Sendable {
        package let added: [ItemID]
        package let removed: [ItemID]
        package let changed: [ItemID]
    }

    package let app: AppID
    package let from: AppBuild
    package let to: AppBuild
    /// The audience that is served.
    package let audience: Audience
    package let language: LanguageTag
    package let menu: Menu
    package let afterLaunch: Menu
    package let change: Change
    /// Whether a set is in effect for the new version: without one, the app keeps what is registered.
    package let registersAnew: Bool

    /// An update, or a downgrade where `from` is above `to`.
    package init(
        from: AppBuild, to: AppBuild, audience: Audience = .default, language: LanguagePreference = .none, in snapshot: AppSnapshot
    ) {
        func answer(to build: AppBuild) -> ShortcutsAnswer? {
            ShortcutsAnswer(for: Client(build: build, audience: audience, language: language), in: snapshot)
        }
        let person = Person(installed: to, language: language, snapshot: snapshot)
        let (registered, current) = (answer(to: from), answer(to: to))
        app = snapshot.app.id
        self.from = from
        self.to = to
        self.audience = snapshot.timeline(for: audience).audience
        self.language = (registered ?? current)?.language ?? snapshot.app.defaultLanguage
        menu = person.menu(registered)
        afterLaunch = person.menu(current ?? registered)
        change = Change(from: registered, to: current ?? registered)
        registersAnew = current != nil
    }
}

/// Who looks at the menu and taps: the new version is installed, the language of the phone is the same as before.
private struct Person {
    let installed: AppBuild
    let language: LanguagePreference
    let snapshot: AppSnapshot

    func menu(_ registered: ShortcutsAnswer?) -> Simulation.Menu {
        let dynamicItems = registered.map { answer in answer.effective.set.enabledItems.map { entry($0, in: answer) } }
        return Simulation.Menu(
            entries: (snapshot.release(for: installed)?.staticItems ?? []).map(entry) + (dynamicItems ?? []))
    }

    private func entry(_ item: StaticItem) -> Simulation.Entry {
        let (tap, landing) = tap(item.type, item.userInfo.members.map { JSON.Member($0.key, $0.value.json) })
        return Simulation.Entry(
            kind: .static, id: nil, type: item.type, title: item.title, subtitle: item.subtitle, tap: tap, landing: landing)
    }

    private func entry(_ item: ShortcutItem, in answer: ShortcutsAnswer) -> Simulation.Entry {
        let row = answer.row(of: item)
        let (tap, landing) = tap(item.type, answer.userInfo(of: item))
        return Simulation.Entry(
            kind: .dynamic, id: item.id, type: item.type, title: row.title, subtitle: row.subtitle, tap: tap, landing: landing)
    }

    private func tap(_ type: Text, _ userInfo: [JSON.Member]) -> (TapResolution, landing: Text?) {
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
        let former = Dictionary(before, uniquingKeysWith: { first, _ in first })
        let kept = Set(after.map(\.0))
        added = after.filter { former[$0.0] == nil }.map(\.0)
        removed = before.filter { !kept.contains($0.0) }.map(\.0)
        changed = after.filter { id, appearance in former[id].map { $0 != appearance } ?? false }.map(\.0)
    }
}

/// What an item looks like in one language and what it does.
private struct Appearance: Equatable {
    let title: Text
    let subtitle: Text?
    let icon: ShortcutIcon?
    let action: String

    init(of item: ShortcutItem, in answer: ShortcutsAnswer) {
        let row = answer.row(of: item)
        (title, subtitle, icon) = (row.title, row.subtitle, item.icon)
        action = VersionTag.actionHash(of: item)
    }
}
