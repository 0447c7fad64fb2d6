import QuickActions
import Shortcuts

/// An app at one moment. Each set is parsed once, on first use.
struct StoredApp: Sendable {
    struct StoredSet: RowReadable, Sendable {
        fileprivate enum Content {
            case document(String)
            case parsed(ShortcutSet)
        }

        /// A set without its document.
        struct Header: RowReadable, Hashable {
            let audience: Audience
            let version: AppVersion
            let identity: Identity

            init(row: inout SQLRow) throws(Failure) {
                (audience, version) = (try row.read(), try row.read())
                identity = Identity(revision: try row.read(), publishedAt: try row.read(), author: try row.read())
            }
        }

        let audience: Audience
        let version: AppVersion
        let identity: Identity
        /// The size of its document in bytes, or an estimate.
        let size: Int
        private var content: Content {
            didSet { cost = Self.cost(of: content) }
        }
        /// Its size in memory, in bytes.
        fileprivate private(set) var cost: Int

        /// Identifies a set. The revision number alone is not enough: a database that lost a revision, which a failover may do, gives the
        /// number to another set.
        struct Identity: Hashable, Sendable {
            let revision: Int64
            fileprivate let publishedAt: Timestamp
            fileprivate let author: String
        }

        init(row: inout SQLRow) throws(Failure) {
            let header = try Header(row: &row)
            (audience, version, identity) = (header.audience, header.version, header.identity)
            let document = try row.text()
            size = document.utf8.count
            content = .document(document)
            cost = Self.cost(of: content)
        }

        init(_ set: PublishedSet, in audience: Audience) {
            self.audience = audience
            version = set.version
            identity = Identity(set)
            size = set.set.estimatedSize
            content = .parsed(set.set)
            cost = Self.cost(of: content)
        }

        mutating func published() throws(Failure) -> PublishedSet {
            let set: ShortcutSet
            switch content {
            case .parsed(let parsed): set = parsed
            case .document(let document):
                set = try ShortcutSet(stored: Array(document.utf8))
                content = .parsed(set)
            }
            return PublishedSet(
                version: version, revision: identity.revision, publishedAt: identity.publishedAt, by: identity.author, set: set)
        }

        private static func cost(of content: Content) -> Int {
            switch content {
            case .document(let document): 224 + document.utf8.count
            case .parsed(let set): 192 + set.footprint
            }
        }
    }

    /// Different after each change.
    private(set) var stamp: String
    let app: App
    private let releases: [Release]
    private let releaseCost: Int
    private let nextPublish: Timestamp?
    private(set) var lastRevision: Int64
    private let candidates: [SetName: Candidate]
    /// Ascending by audience and version.
    private(set) var sets: [StoredSet]
    private var whole: AppSnapshot?

    init(
        stamp: String, app: App, sets: [StoredSet], releases: [Release], nextPublish: Timestamp?, lastRevision: Int64,
        candidates: [SetName: Candidate]
    ) {
        self.candidates = candidates
        self.stamp = stamp
        self.app = app
        self.sets = sets
        self.releases = releases
        releaseCost = releases.reduce(0) { $0 + $1.footprint }
        self.nextPublish = nextPublish
        self.lastRevision = lastRevision
    }

    /// An app whose write is in progress. It gets its stamp by `renewed`.
    /// - Parameter known: sets of the app that were read before.
    init(_ snapshot: AppSnapshot, known: [StoredSet.Identity: StoredSet]) {
        let sets = snapshot.timelines.values.sorted { $0.audience < $1.audience }.flatMap { timeline in
            timeline.sets.map { known[StoredSet.Identity($0)] ?? StoredSet($0, in: timeline.audience) }
        }
        self.init(
            stamp: "", app: snapshot.app, sets: sets, releases: snapshot.releases, nextPublish: snapshot.nextPublish,
            lastRevision: snapshot.lastRevision,
            candidates: Dictionary(snapshot.candidates.map { ($0.name, $0.candidate) }) { first, _ in first })
        whole = snapshot
    }

    func renewed(_ stamp: String) -> StoredApp {
        var app = self
        app.stamp = stamp
        return app
    }

    /// The app with the revision applied, which ends no roll-out. It gets its stamp by `renewed`.
    /// - Parameter snapshot: the app before the revision.
    func after(_ revision: Revision, in snapshot: AppSnapshot) -> StoredApp {
        var app = self
        let name = (revision.audience, revision.version)
        let previous = sets.firstIndex { ($0.audience, $0.version) == name }
        let start = previous ?? sets.firstIndex { ($0.audience, $0.version) > name } ?? sets.endIndex
        let after = snapshot.after(revision)
        let new = after.timelines[revision.audience]?.set(startingAt: revision.version)
        app.sets.replaceSubrange(
            start..<(previous == nil ? start : start + 1), with: new.map { [StoredSet($0, in: revision.audience)] } ?? [])
        (app.lastRevision, app.whole) = (revision.number, after)
        return app
    }

    /// The app with all of its sets.
    mutating func snapshot() throws(Failure) -> AppSnapshot {
        if let whole { return whole }
        var published: [Audience: [PublishedSet]] = [:]
        for index in sets.indices { published[sets[index].audience, default: []].append(try set(at: index)) }
        let timelines = published.map { audience, sets in (audience, Timeline(audience: audience, sets: sets)) }
        let snapshot = AppSnapshot(
            app: app, timelines: Dictionary(uniqueKeysWithValues: timelines), releases: releases, nextPublish: nextPublish,
            lastRevision: lastRevision)
        whole = snapshot
        return snapshot
    }

    /// The app with only the set in effect: no other set is parsed.
    mutating func snapshot(effectiveFor version: AppVersion, _ audience: Audience) throws(Failure) -> EffectiveSnapshot {
        let versions = Dictionary(grouping: sets, by: \.audience).mapValues { $0.map(\.version) }
        return try EffectiveSnapshot(
            of: app, versions, for: version, audience, releases: releases, nextPublish: nextPublish, lastRevision: lastRevision
        ) { audience, version throws(Failure) in
            guard let index = sets.firstIndex(where: { $0.audience == audience && $0.version == version }) else { return nil }
            return try set(at: index)
        }
    }

    private mutating func set(at index: Int) throws(Failure) -> PublishedSet {
        var set = try sets[index].published()
        if !candidates.isEmpty { set.candidate = candidates[SetName(version: set.version, audience: sets[index].audience)] }
        return set
    }

    /// What counts against the quota, without drafts and schedule.
    var use: AppQuota.Use {
        var use = AppQuota.Use()
        (use.releases, use.sets) = (releases.count, sets.count)
        use.bytes = sets.reduce(releases.reduce(0) { $0 + $1.estimatedSize }) { $0 + $1.size }
        use.bytes = candidates.values.reduce(use.bytes) { $0 + $1.set.estimatedSize }
        return use
    }

    func use(after revision: Revision) -> AppQuota.Use {
        var use = use
        guard revision.kind != .candidate else {
            use.bytes += revision.set?.estimatedSize ?? 0
            return use
        }
        if let previous = sets.first(where: { $0.audience == revision.audience && $0.version == revision.version }) {
            (use.sets, use.bytes) = (use.sets - 1, use.bytes - previous.size)
        }
        if let set = revision.set { (use.sets, use.bytes) = (use.sets + 1, use.bytes + set.estimatedSize) }
        return use
    }

    /// Its size in memory, in bytes.
    var cost: Int {
        let wholeCost = whole == nil ? 0 : sets.count * 160 + releases.count * 160
        let candidateCost = candidates.values.reduce(0) { $0 + 256 + $1.set.footprint }
        return sets.reduce(512 + releaseCost + wholeCost + candidateCost) { $0 + $1.cost }
    }
}

extension StoredApp.StoredSet.Identity {
    fileprivate init(_ set: PublishedSet) {
        self.init(revision: set.revision, publishedAt: set.publishedAt, author: set.by)
    }
}

// Estimates the heap size of parsed documents in bytes: array elements in place, plus 32 bytes for each array and for each text of more
// than 15 bytes. `SnapshotSizeTests` compares the estimate with the allocator's numbers.

extension ShortcutSet {
    var footprint: Int {
        retired.reduce(items.reduce(64) { $0 + $1.footprint }) { $0 + 96 + $1.id.description.heap + ($1.url?.description.heap ?? 0) }
    }
}

extension Release {
    var footprint: Int {
        let names = urlSchemes + (assets?.images ?? []) + (assets?.symbols ?? [])
        let texts = [minimumOSVersion, displayName].reduce(0) { $0 + ($1?.string.heap ?? 0) }
        return names.reduce(staticItems.reduce(320 + texts) { $0 + $1.footprint }) { $0 + 16 + $1.string.heap }
    }
}

extension ShortcutItem {
    fileprivate var footprint: Int {
        let rows = (titles.rows + subtitles.rows).reduce(0) { $0 + 48 + $1.text.string.heap }
        let texts = [
            type.string, icon?.symbol?.string, icon?.file?.string, targetContentIdentifier?.string, url?.description,
            personal?.source.string,
        ]
        let samples = (personal?.sample ?? []).reduce(0) { $0 + 32 + $1.name.string.heap + $1.value.string.heap }
        let ids = replaces.reduce(id.description.heap) { $0 + 16 + $1.description.heap }
        return texts.reduce(384 + rows + ids + samples + PropertyList.dictionary(userInfo).footprint) { $0 + ($1?.heap ?? 0) }
    }
}

extension StaticItem {
    fileprivate var footprint: Int {
        let texts = [type.string, title.string, subtitle?.string, icon?.symbol?.string, icon?.file?.string]
        return texts.reduce(192 + PropertyList.dictionary(userInfo).footprint) { $0 + ($1?.heap ?? 0) }
    }
}

extension PropertyList {
    /// The size outside of the value's own storage.
    fileprivate var footprint: Int {
        switch self {
        case .string(let text): text.string.heap
        case .data(let bytes): 32 + bytes.count
        case .integer, .real, .boolean, .date: 0
        case .array(let elements): elements.isEmpty ? 0 : elements.reduce(32) { $0 + 24 + $1.footprint }
        case .dictionary(let dictionary):
            dictionary.isEmpty ? 0 : dictionary.members.reduce(32) { $0 + 40 + $1.key.string.heap + $1.value.footprint }
        }
    }
}

extension String {
    fileprivate var heap: Int { utf8.count > 15 ? 40 + utf8.count : 0 }
}
