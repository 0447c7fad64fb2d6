import QuickActions

/// Computes the warnings of a set from everything that they depend on: the releases for which the set is in effect, the sets around it, and
/// the ids that were ever published.
struct SetContext {
    private var set: ShortcutSet
    private let app: App
    /// The known releases of the versions for which the set is in effect.
    private let releases: [Release]
    /// The releases whose static items share the menu with the set: `releases`, and, if none of them has the version at which the set
    /// begins, the last release below them. The first clients of the set still show that release's items.
    private let menuReleases: [Release]
    /// The published set that this one would replace; nil if there is none.
    private let current: PublishedSet?
    /// The sets whose ids must not be dropped: `current` and the set of the version before.
    private let predecessors: [PublishedSet]
    /// Ids that were ever published in the timeline. It may lack some, but none that the set replaces or retires.
    private let known: Set<ItemID>
    private let forgotten: [ForgottenID]

    /// - Parameter known: see `AppReader.publishedIDs`.
    init(_ set: ShortcutSet, from version: AppVersion, in timeline: Timeline, of snapshot: AppSnapshot, known: Set<ItemID>) {
        let placed = PublishedSet(version: version, revision: 0, publishedAt: Timestamp(milliseconds: 0), by: "", set: set)
        let forgotten = timeline.replacing(version, with: placed).forgottenIDs(among: known, at: [version])[version]
        self.init(
            set, from: version, in: timeline, replacing: timeline.set(startingAt: version), of: snapshot, known: known,
            forgotten: forgotten ?? [])
    }

    /// - Parameters:
    ///   - timeline: with the other sets as they are after this one is published.
    ///   - current: the published set that it replaces.
    ///   - forgotten: the forgotten ids of the timeline with this set.
    init(
        _ set: ShortcutSet, from version: AppVersion, in timeline: Timeline, replacing current: PublishedSet?, of snapshot: AppSnapshot,
        known: Set<ItemID>, forgotten: [ForgottenID]
    ) {
        self.set = set
        app = snapshot.app
        self.known = known
        self.forgotten = forgotten
        let range = timeline.range(from: version)
        releases = snapshot.releases.filter { range.contains($0.id.version) }
        let startsWithRelease = releases.first?.id.version == version
        let before = startsWithRelease ? nil : snapshot.releases.last { $0.id.version < version }
        menuReleases = [before].compactMap { $0 } + releases
        let previous = timeline.sets.last { $0.version < version }
        self.current = current
        predecessors = [current, previous].compactMap { $0 }
    }

    /// The warnings. Each is new unless the current set has it too, with the same releases.
    var warnings: [Warning] {
        let found = found
        let old = found.isEmpty ? [] : current.map { replacingSet(with: $0.set).found } ?? []
        return Warning.marked(found, newSince: old)
    }

    private func replacingSet(with other: ShortcutSet) -> SetContext {
        var context = self
        context.set = other
        return context
    }

    private var found: [Warning] {
        var warnings: [Warning] = []
        var seen: Set<Warning> = []
        func warn(_ code: String, _ path: DocumentPath, _ subject: [String], _ message: String) {
            let warning = Warning(path: path, code: code, about: subject, message: message)
            if seen.insert(warning).inserted { warnings.append(warning) }
        }
        warnOfBudget(warn)
        for (index, item) in set.items.enumerated() {
            let path = DocumentPath.root["items"][index]
            warnOfTitles(item, path, warn)
            warnOfStaticTwins(item, path, warn)
            warnOfAssets(item, path, warn)
        }
        for (url, owner, path) in urls { warnOfScheme(url, of: owner, path, warn) }
        warnOfIDs(warn)
        return warnings
    }

    private typealias Warn = (_ code: String, _ path: DocumentPath, _ subject: [String], _ message: String) -> Void

    private func warnOfBudget(_ warn: Warn) {
        let enabled = set.enabledItems.reduce(0) { $0 + $1.greatestCount }
        let tightest = menuReleases.max { $0.staticItems.count < $1.staticItems.count }
        let budget = max(0, visibleMenuItems - (tightest?.staticItems.count ?? 0))
        guard enabled > budget else { return }
        let reason =
            tightest.map { "release \($0.id) has \($0.staticItems.count) static items, so \(budget) are shown" }
            ?? "\(visibleMenuItems) are shown"
        let count =
            set.personalItems.isEmpty
            ? "\(enabled) items are enabled" : "Up to \(enabled) items are registered, counting personal items up to their limit"
        warn("over-budget", .root["items"], [], "\(count), but \(reason). The others are registered but not visible.")
    }

    private func warnOfTitles(_ item: ShortcutItem, _ path: DocumentPath, _ warn: Warn) {
        let names = ([app.name] + releases.map(\.displayName)).compactMap { $0?.string.lowercased() }.filter { !$0.isEmpty }
        for row in item.titles.rows {
            let path = path["title"][Text(row.language.description)]
            let subject = [item.id.description, row.language.description]
            if row.text.string.contains(where: \.isEmoji) {
                warn("title-emoji", path, subject, "\(quoted(row.text.string)) has an emoji. Apple advises against it: use the icon.")
            }
            if let name = names.first(where: row.text.string.lowercased().contains) {
                warn(
                    "title-app-name", path, subject,
                    "\(quoted(row.text.string)) repeats the app's name \(quoted(name)), which is shown next to the menu.")
            }
        }
        for flaw in item.displayFlaws(at: path) {
            warn(flaw.code, flaw.path, [item.id.description] + flaw.row, flaw.message)
        }
    }

    private func warnOfStaticTwins(_ item: ShortcutItem, _ path: DocumentPath, _ warn: Warn) {
        for release in menuReleases {
            for twin in release.staticItems where twin.type == item.type && item.titles.rows.contains(where: { $0.text == twin.title }) {
                warn(
                    "static-twin", path, [item.id.description, release.id.description],
                    "Release \(release.id) has a static item with the same type and title. People would see both.")
            }
        }
    }

    private func warnOfAssets(_ item: ShortcutItem, _ path: DocumentPath, _ warn: Warn) {
        for release in releases {
            guard let assets = release.assets else { continue }
            if let file = item.icon?.file, !assets.images.contains(file), !assets.symbols.contains(file) {
                warn(
                    "asset-missing", path["icon"]["file"], [item.id.description, release.id.description, file.string],
                    "Release \(release.id) has no image \(quoted(file.string)). The item would have no icon.")
            }
            if let symbol = item.icon?.symbol, !assets.symbols.contains(symbol) {
                warn(
                    "asset-missing", path["icon"]["symbol"], [item.id.description, release.id.description, symbol.string],
                    "Release \(release.id) does not list the symbol \(quoted(symbol.string)). The item may have no icon.")
            }
        }
    }

    /// Every URL with the id of its item, or with an empty id for the set's fallback URL.
    private var urls: [(ActionURL, owner: String, DocumentPath)] {
        let items = set.items.enumerated().map { ($1.url, $1.id.description, DocumentPath.root["items"][$0]["url"]) }
        let retired = set.retired.enumerated().map { ($1.url, $1.id.description, DocumentPath.root["retired"][$0]["url"]) }
        let all = items + retired + [(set.fallbackURL, "", DocumentPath.root["fallbackURL"])]
        return all.compactMap { url, owner, path in url.map { ($0, owner, path) } }
    }

    private func warnOfScheme(_ url: ActionURL, of owner: String, _ path: DocumentPath, _ warn: Warn) {
        guard url.scheme != "https" else { return }
        for release in releases where !release.urlSchemes.contains(where: { $0.string.lowercased() == url.scheme }) {
            warn(
                "scheme-undeclared", path, [owner, release.id.description, url.scheme],
                "Release \(release.id) does not declare the URL scheme \(quoted(url.scheme)), so it cannot open \(quoted(url.description))."
            )
        }
    }

    private func warnOfIDs(_ warn: Warn) {
        let present = Set(set.items.map(\.id)).union(set.succeededIDs)
        var dropped: Set<ItemID> = []
        for predecessor in predecessors {
            for item in predecessor.set.items where !present.contains(item.id) && dropped.insert(item.id).inserted {
                warn(
                    "id-dropped", .root["items"], [item.id.description],
                    "\(quoted(item.id.description)) was in the set of \(predecessor.version) (revision \(predecessor.revision)) but is not "
                        + "in this set. List it in an item's replaces or in retired, so that taps on it still open something."
                )
            }
        }
        let mentioned = set.mentionedIDs
        for each in forgotten where !mentioned.contains(each.last) && !dropped.contains(each.id) {
            let successor = each.last == each.id ? "" : " (it became \(quoted(each.last.description)))"
            warn(
                "id-dropped", .root["items"], [each.id.description],
                "\(quoted(each.id.description))\(successor) was published for this audience but is not in this set. List "
                    + "\(quoted(each.last.description)) in an item's replaces or in retired, so that taps on it still open something."
            )
        }
        for (id, path) in references where !known.contains(id) {
            warn(
                "unknown-id", path, [id.description], "\(quoted(id.description)) was never published for this audience. Check its spelling."
            )
        }
    }

    /// The replaced and retired ids.
    private var references: [(ItemID, DocumentPath)] {
        let replaced = set.items.enumerated().flatMap { index, item in
            item.replaces.enumerated().map { ($1, DocumentPath.root["items"][index]["replaces"][$0]) }
        }
        return replaced + set.retired.enumerated().map { ($1.id, DocumentPath.root["retired"][$0]["id"]) }
    }
}

extension Character {
    /// Whether the character has emoji presentation: by default, or by the variation selector U+FE0F (UTS #51).
    fileprivate var isEmoji: Bool {
        guard !isASCII, let first = unicodeScalars.first, first.properties.isEmoji else { return false }
        return first.properties.isEmojiPresentation || unicodeScalars.contains("\u{FE0F}")
    }
}
