import QuickActions

/// The effect of a change or deletion of a release on the menus that phones show.
package struct ReleaseEffect: Sendable {
    /// The sets of which another number of items becomes visible.
    let shownDifferently: [SetName]
    package let warnings: [Warning]

    package static let none = ReleaseEffect(shownDifferently: [], warnings: [])

    private init(shownDifferently: [SetName], warnings: [Warning]) {
        self.shownDifferently = shownDifferently
        self.warnings = warnings
    }

    /// - Parameters:
    ///   - id: the release that is created, changed or deleted.
    ///   - previous: the app before the change; nil if it is new.
    ///   - releases: the app's releases after the change.
    package init(of id: AppBuild, in previous: AppSnapshot?, leaving releases: [Release]) {
        guard let previous else {
            self = .none
            return
        }
        let shownDifferently = previous.setsShownDifferently(by: id, with: releases.sorted { AppBuild.releaseOrder($0.id, $1.id) })
        var warnings = releases.first { $0.id == id }?.warnings(after: previous.releases.first { $0.id == id }) ?? []
        if previous.app.approvals > 0, !shownDifferently.isEmpty {
            warnings.append(
                Warning(
                    path: .root["staticItems"], code: "shown-unapproved", about: [id.description],
                    message: "This release changes which items of \(shownDifferently.listed) are visible, and nobody has approved that. "
                        + "Check the previews and inform the approvers."))
        }
        self.init(shownDifferently: shownDifferently, warnings: warnings)
    }

    /// `shownDifferently` and `warnings`.
    package var json: JSON { ["shownDifferently": shownDifferently.json, "warnings": .array(warnings.map(\.json))] }
}

/// The result of importing a release.
package struct ReleaseReceipt: Sendable {
    /// The stored release.
    package let release: Release
    package let isNew: Bool
    package let effect: ReleaseEffect

    package init(release: Release, isNew: Bool, effect: ReleaseEffect) {
        self.release = release
        self.isNew = isNew
        self.effect = effect
    }

    package var json: JSON { release.json.adding(membersOf: effect.json) }
}

extension [SetName] {
    /// `[{"version", "audience"}, …]`
    var json: JSON { .array(map { ["version": .string($0.version), "audience": .string($0.audience)] }) }

    fileprivate var listed: String {
        let rest = count - 3
        return prefix(3).map { "the set of \($0.inWords)" }.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}

extension AppSnapshot {
    fileprivate func setsShownDifferently(by id: AppBuild, with others: [Release]) -> [SetName] {
        let change = BudgetChange(by: id, from: releases, to: others)
        return timelines.values.flatMap { timeline in
            change.affected(among: timeline.sets).map { SetName(version: $0.version, audience: timeline.audience) }
        }.sorted()
    }
}

/// How the change of one release changes the number of dynamic items that clients show.
struct BudgetChange {
    private let id: AppBuild
    private let before: [Release]
    private let after: [Release]
    /// The version of the next release. The change affects clients from `id` up to it.
    private let next: AppVersion?

    /// - Parameters:
    ///   - id: the only release that differs.
    ///   - before: in `AppBuild.releaseOrder`, like `after`.
    init(by id: AppBuild, from before: [Release], to after: [Release]) {
        (self.id, self.before, self.after) = (id, before, after)
        next = (before + after).map(\.id).filter { AppBuild.releaseOrder(id, $0) }.min(by: AppBuild.releaseOrder)?.version
    }

    /// The sets of a timeline of which clients see another number of items. Reads each set once.
    /// - Parameter sets: ascending by version.
    func affected(among sets: some Sequence<PublishedSet>) -> [PublishedSet] {
        var affected: [PublishedSet] = []
        var candidate: PublishedSet?
        func check(until end: AppVersion?) {
            if let candidate, affects(candidate, until: end) { affected.append(candidate) }
        }
        for set in sets {
            check(until: set.version)
            candidate = set
        }
        check(until: nil)
        return affected
    }

    private func affects(_ set: PublishedSet, until end: AppVersion?) -> Bool {
        guard end.map({ $0 > id.version }) ?? true, next.map({ set.version <= $0 }) ?? true else { return false }
        // A client that sends no build gets the version's last release; build 0 is below the version's first release.
        let first = AppBuild(set.version, build: BuildNumber("0"))
        let clients = set.version <= id.version ? [id, AppBuild(id.version)] : [AppBuild(set.version), first]
        let count = set.set.enabledItems.reduce(0) { $0 + $1.greatestCount }
        return clients.contains { min(count, before.visibleBudget(for: $0)) != min(count, after.visibleBudget(for: $0)) }
    }
}
