import QuickActions

/// A set beside everything it is judged by: the releases of its stretch, the sets around it, the ids ever seen.
struct SetContext {
    private var set: ShortcutSet
    private let app: App
    /// Every known release of the set's stretch.
    private let releases: [Release]
    /// Those whose static items stand beside this set's: the stretch's, and the one before where none starts with the set,
    /// because the set's first clients still show that one's.
    private let menuReleases: [Release]
    /// What stands in the set's place; nil where nothing does.
    private let standing: PublishedSet?
    /// The set's former revision and the set of the version before.
    private let forebears: [PublishedSet]
    private let known: Set<ItemID>

    init(_ set: ShortcutSet, from version: AppVersion, in timeline: Timeline, of snapshot: AppSnapshot, known: Set<ItemID>) {
        self.set = set
        app = snapshot.app
        self.known = known
        let next = timeline.sets.first { $0.version > version }?.version
        let inStretch = snapshot.releases.filter { release in
            release.id.version >= version && next.map { release.id.version < $0 } ?? true
        }
        let startsWithRelease = inStretch.first?.id.version == version
        let before = startsWithRelease ? nil : snapshot.releases.last { $0.id.version < version }
        releases = inStretch
        menuReleases = [before].compactMap { $0 } + inStretch
        let previous = timeline.sets.last { $0.version < version }
        standing = timeline.set(startingAt: version)
        forebears = [standing, previous].compactMap { $0 }
    }

    /// Each marked with whether the set that stands here would be warned of it too, beside the same releases.
    var warnings: [Warning] {
        let found = found
        let known = found.isEmpty ? [] : standing.map { judging($0.set).found } ?? []
        return found.map { $0.beside(known) }
    }

    /// The same place with another set in it.
    private func judging(_ other: ShortcutSet) -> SetContext {
        var context = self
        context.set = other
        return context
    }

    private var found: [Warning] {
        var warnings: [Warning] = []
        func warn(_ code: String, _ path: DocumentPath, _ subject: [String], _ message: String) {
            let warning = Warning(path: path, code: code, about: subject, message: message)
            if !warnings.contains(warning) { warnings.append(warning) }
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
        let enabled = set.enabledItems.count
        let tightest = menuReleases.max { $0.staticItems.count < $1.staticItems.count }
        let budget = max(0, visibleMenuItems - (tightest?.staticItems.count ?? 0))
        guard enabled > budget else { return }
        let reason =
            tightest.map { "release \($0.id) has \($0.staticItems.count) static items, so \(budget) are shown" }
            ?? "\(visibleMenuItems) are shown"
        warn("over-budget", .root["items"], [], "\(enabled) items are enabled, but \(reason). The rest is registered and not visible.")
    }

    private func warnOfTitles(_ item: ShortcutItem, _ path: DocumentPath, _ warn: Warn) {
        let names = ([app.name] + releases.map(\.displayName)).compactMap { $0?.string.lowercased() }.filter { !$0.isEmpty }
        for row in item.titles.rows {
            let path = path["title"][Text(row.language.description)]
            let subject = [item.id.description, row.language.description]
            if row.text.string.contains(where: \.isEmoji) {
                warn("title-emoji", path, subject, "\(quoted(row.text.string)) has an emoji; Apple advises against it: use the icon.")
            }
            if let name = names.first(where: row.text.string.lowercased().contains) {
                warn(
                    "title-app-name", path, subject,
                    "\(quoted(row.text.string)) repeats the app's name \(quoted(name)), which stands beside the menu already.")
            }
        }
    }

    private func warnOfStaticTwins(_ item: ShortcutItem, _ path: DocumentPath, _ warn: Warn) {
        for release in menuReleases {
            for twin in release.staticItems where twin.type == item.type && item.titles.rows.contains(where: { $0.text == twin.title }) {
                warn(
                    "static-twin", path, [item.id.description, release.id.description],
                    "Release \(release.id) has a static item with the same type and title: people would see it twice.")
            }
        }
    }

    private func warnOfAssets(_ item: ShortcutItem, _ path: DocumentPath, _ warn: Warn) {
        for release in releases {
            guard let assets = release.assets else { continue }
            if let file = item.icon?.file, !assets.images.contains(file), !assets.symbols.contains(file) {
                warn(
                    "asset-missing", path["icon"]["file"], [item.id.description, release.id.description, file.string],
                    "Release \(release.id) has no image \(quoted(file.string)): no icon would be shown.")
            }
            if let symbol = item.icon?.symbol, !assets.symbols.contains(symbol) {
                warn(
                    "asset-missing", path["icon"]["symbol"], [item.id.description, release.id.description, symbol.string],
                    "Release \(release.id) does not list the symbol \(quoted(symbol.string)): no icon may be shown.")
            }
        }
    }

    /// With the id that each belongs to, empty for the set's own.
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
                "Release \(release.id) does not declare the URL scheme \(quoted(url.scheme)): it could not open \(quoted(url.description))."
            )
        }
    }

    private func warnOfIDs(_ warn: Warn) {
        let present = Set(set.items.map(\.id)).union(set.succeededIDs)
        var dropped: Set<ItemID> = []
        for forebear in forebears {
            for item in forebear.set.items where !present.contains(item.id) && dropped.insert(item.id).inserted {
                warn(
                    "id-dropped", .root["items"], [item.id.description],
                    "\(quoted(item.id.description)) was in the set of \(forebear.version) (revision \(forebear.revision)) and is gone: name it in an item's replaces or in retired, so that taps on it still land."
                )
            }
        }
        for (id, path) in references where !known.contains(id) {
            warn(
                "unknown-id", path, [id.description], "\(quoted(id.description)) was never published for this audience: check its spelling."
            )
        }
    }

    private var references: [(ItemID, DocumentPath)] {
        let replaced = set.items.enumerated().flatMap { index, item in
            item.replaces.enumerated().map { ($1, DocumentPath.root["items"][index]["replaces"][$0]) }
        }
        return replaced + set.retired.enumerated().map { ($1.id, DocumentPath.root["retired"][$0]["id"]) }
    }
}

extension Character {
    /// Drawn as a picture: emoji presentation by default, or asked for with U+FE0F.
    fileprivate var isEmoji: Bool {
        guard !isASCII, let first = unicodeScalars.first, first.properties.isEmoji else { return false }
        return first.properties.isEmojiPresentation || unicodeScalars.contains("\u{FE0F}")
    }
}
