import QuickActions
import Shortcuts

/// An app of one moment, its sets not parsed yet: a fetch needs one of them.
struct StoredApp: Sendable {
    struct Set: Sendable {
        let audience: Audience
        let version: AppVersion
        let revision: Int64
        let publishedAt: Timestamp
        let author: String
        let document: String

        /// - Parameter read: the document, where it was parsed before.
        func published(_ read: ShortcutSet? = nil) throws(Failure) -> PublishedSet {
            let set = if let read { read } else { try ShortcutSet(stored: Array(document.utf8)) }
            return PublishedSet(version: version, revision: revision, publishedAt: publishedAt, by: author, set: set)
        }
    }

    let stamp: String
    let app: App
    /// Ascending by audience and version.
    let sets: [Set]
    let releases: [Release]
    let nextPublish: Timestamp?

    /// With all of its sets.
    func snapshot() throws(Failure) -> AppSnapshot {
        var published: [Audience: [PublishedSet]] = [:]
        for set in sets { published[set.audience, default: []].append(try set.published()) }
        let timelines = published.map { audience, sets in (audience, Timeline(audience: audience, sets: sets)) }
        return AppSnapshot(
            app: app, timelines: Dictionary(uniqueKeysWithValues: timelines), releases: releases, nextPublish: nextPublish)
    }

    /// With the set in effect only: no other is parsed.
    func snapshot(effectiveFor version: AppVersion, _ audience: Audience) throws(Failure) -> EffectiveSnapshot {
        let firstVersions = Dictionary(sets.map { ($0.audience, $0.version) }, uniquingKeysWith: { first, _ in first })
        let served = firstVersions[audience] == nil ? .default : audience
        let timeline = sets.filter { $0.audience == served }
        return EffectiveSnapshot(
            app: app, firstVersions: firstVersions, audience: served,
            effective: try timeline.last { $0.version <= version }?.published(),
            until: timeline.first { $0.version > version }?.version, releases: releases, nextPublish: nextPublish)
    }
}
