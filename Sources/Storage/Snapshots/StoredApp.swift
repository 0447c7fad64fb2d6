import QuickActions
import SQL
import Shortcuts

/// An app at one moment. Each set is parsed once, on first use.
struct StoredApp: Sendable {
    struct StoredSet: RowReadable, Sendable {
        fileprivate enum Content {
            case document(String)
            case parsed(ShortcutSet)
        }

        let audience: Audience
        let version: AppVersion
        let revision: Int64
        private let publishedAt: Timestamp
        private let author: String
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
            fileprivate let revision: Int64
            fileprivate let publishedAt: Timestamp
            fileprivate let author: String
        }

        var identity: Identity { Identity(revision: revision, publishedAt: publishedAt, author: author) }

        init(row: inout SQLRow) throws(Failure) {
            (audience, version, revision) = (try row.read(), try row.read(), try row.read())
            (publishedAt, author) = (try row.read(), try row.read())
            let document = try row.text()
            size = document.utf8.count
            content = .document(document)
            cost = Self.cost(of: content)
        }

        init(_ set: PublishedSet, in audience: Audience) {
            self.audience = audience
            version = set.version
            revision = set.revision
            publishedAt = set.publishedAt
            author = set.by
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
            return PublishedSet(version: version, revision: revision, publishedAt: publishedAt, by: author, set: set)
        }

        private static func cost(of content: Content) -> Int {
            switch content {
            case .document(let document): 224 + document.utf8.count
            case .parsed(let set): 192 + set.footprint
            }
        }
    }

    /// Different after each change.
    let stamp: String
    let app: App
    private let releases: [Release]
    private let releaseCost: Int
    private let nextPublish: Timestamp?
    let lastRevision: Int64
    /// Ascending by audience and version.
    private(set) var sets: [StoredSet]
    private var whole: AppSnapshot?

    init(stamp: String, app: App, sets: [StoredSet], releases: [Release], nextPublish: Timestamp?, lastRevision: Int64) {
        self.stamp = stamp
        self.app = app
        self.sets = sets
        self.releases = releases
        releaseCost = releases.reduce(0) { $0 + $1.footprint }
        self.nextPublish = nextPublish
        self.lastRevision = lastRevision
    }

    /// - Parameter known: sets of the app that were read before.
    init(_ snapshot: AppSnapshot, under stamp: String, known: [StoredSet.Identity: StoredSet]) {
        let sets = snapshot.timelines.values.flatMap { timeline in
            timeline.sets.map { known[StoredSet.Identity($0)] ?? StoredSet($0, in: timeline.audience) }
        }
        self.init(
            stamp: stamp, app: snapshot.app, sets: sets, releases: snapshot.releases, nextPublish: snapshot.nextPublish,
            lastRevision: snapshot.lastRevision)
        whole = snapshot
    }

    /// The app with all of its sets.
    mutating func snapshot() throws(Failure) -> AppSnapshot {
        if let whole { return whole }
        var published: [Audience: [PublishedSet]] = [:]
        for index in sets.indices { published[sets[index].audience, default: []].append(try sets[index].published()) }
        let timelines = published.map { audience, sets in (audience, Timeline(audience: audience, sets: sets)) }
        let snapshot = AppSnapshot(
            app: app, timelines: Dictionary(uniqueKeysWithValues: timelines), releases: releases, nextPublish: nextPublish,
            lastRevision: lastRevision)
        whole = snapshot
        return snapshot
    }

    /// The app with only the set in effect: no other set is parsed.
    mutating func snapshot(effectiveFor version: AppVersion, _ audience: Audience) throws(Failure) -> EffectiveSnapshot {
        let versions = Dictionary(grouping: sets, by: \.audience).mapValues { $0.map(\.version).sorted() }
        return try EffectiveSnapshot(
            of: app, versions, for: version, audience, releases: releases, nextPublish: nextPublish, lastRevision: lastRevision
        ) { audience, version throws(Failure) in
            guard let index = sets.firstIndex(where: { $0.audience == audience && $0.version == version }) else { return nil }
            return try sets[index].published()
        }
    }

    /// What counts against the quota, without drafts and schedule.
    var use: AppQuota.Use {
        var use = AppQuota.Use()
        (use.releases, use.sets) = (releases.count, sets.count)
        use.bytes = sets.reduce(releases.reduce(0) { $0 + $1.estimatedSize }) { $0 + $1.size }
        return use
    }

    func use(after revision: Revision) -> AppQuota.Use {
        var use = use
        if let former = sets.first(where: { $0.audience == revision.audience && $0.version == revision.version }) {
            (use.sets, use.bytes) = (use.sets - 1, use.bytes - former.size)
        }
        if let set = revision.set { (use.sets, use.bytes) = (use.sets + 1, use.bytes + set.estimatedSize) }
        return use
    }

    /// Its size in memory, in bytes.
    var cost: Int {
        let wholeCost = whole == nil ? 0 : sets.count * 160 + releases.count * 160
        return sets.reduce(512 + releaseCost + wholeCost) { $0 + $1.cost }
    }
}

extension StoredApp.StoredSet.Identity {
    fileprivate init(_ set: PublishedSet) {
        self.init(revision: set.revision, publishedAt: set.publishedAt, author: set.by)
    }
}
