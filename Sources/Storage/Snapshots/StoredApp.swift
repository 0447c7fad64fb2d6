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

    /// With so many of the sets as are given.
    func snapshot(of sets: [Set]) throws(Failure) -> AppSnapshot {
        var published: [Audience: [PublishedSet]] = [:]
        for set in sets { published[set.audience, default: []].append(try set.published()) }
        return snapshot(published)
    }

    /// With the set in effect only. An audience whose sets all start later has a timeline, and is not served the default one.
    func snapshot(effectiveFor version: AppVersion, _ audience: Audience) throws(Failure) -> AppSnapshot {
        let served = sets.contains { $0.audience == audience } ? audience : .default
        let effective = try sets.last { $0.audience == served && $0.version <= version }?.published()
        return snapshot([served: effective.map { [$0] } ?? []])
    }

    private func snapshot(_ published: [Audience: [PublishedSet]]) -> AppSnapshot {
        let timelines = published.map { audience, sets in (audience, Timeline(audience: audience, sets: sets)) }
        return AppSnapshot(
            app: app, timelines: Dictionary(uniqueKeysWithValues: timelines), releases: releases, nextPublish: nextPublish)
    }
}
