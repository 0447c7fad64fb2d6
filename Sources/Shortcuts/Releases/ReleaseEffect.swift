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
    /// The sets of which clients of a release see another number of items after the change.
    /// - Parameter id: the only release that differs. It affects clients from its version up to the next release.
    fileprivate func setsShownDifferently(by id: AppBuild, with others: [Release]) -> [SetName] {
        let next = (releases + others).map(\.id).filter { AppBuild.releaseOrder(id, $0) }.min(by: AppBuild.releaseOrder)?.version
        func differs(_ set: PublishedSet, for client: AppBuild) -> Bool {
            let count = set.set.enabledItems.count
            return min(count, releases.visibleBudget(for: client)) != min(count, others.visibleBudget(for: client))
        }
        return timelines.values.flatMap { timeline in
            timeline.sets.filter { set in
                let end = timeline.range(from: set.version).until
                guard end.map({ $0 > id.version }) ?? true, next.map({ set.version <= $0 }) ?? true else { return false }
                // A client that sends no build gets the version's last release; build 0 is below the version's first release.
                let first = AppBuild(set.version, build: BuildNumber("0"))
                let clients = set.version <= id.version ? [id, AppBuild(id.version)] : [AppBuild(set.version), first]
                return clients.contains { differs(set, for: $0) }
            }.map { SetName(version: $0.version, audience: timeline.audience) }
        }.sorted()
    }
}
