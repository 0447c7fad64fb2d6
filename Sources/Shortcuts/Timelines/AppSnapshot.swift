import QuickActions

/// An app with its timelines and releases, read in one transaction: everything that an answer depends on.
package struct AppSnapshot: Sendable {
    package let app: App
    /// Only audiences with at least one published set.
    package private(set) var timelines: [Audience: Timeline]
    /// In `AppBuild.releaseOrder`.
    package let releases: [Release]
    /// The time of the next entry of the app's schedule.
    package let nextPublish: Timestamp?
    /// The app's revision counter: the last number that was given, whatever the version and audience; 0 if none was.
    package private(set) var lastRevision: Int64
    /// Whether the snapshot is from a cache because the store could not be read; it may lack the latest publishes.
    package private(set) var isStale = false

    /// A copy marked as stale.
    package var asStale: AppSnapshot {
        var snapshot = self
        snapshot.isStale = true
        return snapshot
    }

    package init(
        app: App, timelines: [Audience: Timeline], releases: [Release], nextPublish: Timestamp? = nil, lastRevision: Int64 = 0
    ) {
        self.app = app
        self.nextPublish = nextPublish
        self.lastRevision = lastRevision
        self.timelines = timelines
        self.releases = releases.sorted { AppBuild.releaseOrder($0.id, $1.id) }
    }

    /// The app with the revision applied.
    package func after(_ revision: Revision) -> AppSnapshot {
        let timeline = ownTimeline(of: revision.audience).replacing(revision.version, with: PublishedSet(revision))
        var snapshot = self
        snapshot.timelines[revision.audience] = timeline.sets.isEmpty ? nil : timeline
        snapshot.lastRevision = revision.number
        snapshot.isStale = false
        return snapshot
    }

    /// - Parameter set: in place of the set that begins at its version.
    func replacing(_ set: PublishedSet, in audience: Audience) -> AppSnapshot {
        var snapshot = self
        snapshot.timelines[audience] = ownTimeline(of: audience).replacing(set.version, with: set)
        return snapshot
    }

    /// The timeline that a publish for the audience changes. Empty if the audience has none; its clients are then served `default`.
    package func ownTimeline(of audience: Audience) -> Timeline {
        timelines[audience] ?? Timeline(audience: audience, sets: [])
    }

    /// The timeline that an audience is served: its own, else the default one.
    package func timeline(for audience: Audience) -> Timeline {
        timelines[audience] ?? timelines[.default] ?? Timeline(audience: .default, sets: [])
    }

    /// The release whose static items a client shows: the greatest one that is not above the client.
    package func release(for client: AppBuild) -> Release? {
        releases.release(for: client)
    }
}

/// The Home Screen shows four quick actions, static ones first.
package let visibleMenuItems = 4

extension AppSnapshot {
    /// Validates a new default language: every published item needs a title in it, because it is served if an item lacks the client's
    /// language.
    /// - Throws: `conflict`, with a violation per item.
    package func requireTitles(in language: LanguageTag) throws(Failure) {
        var violations: [Violation] = []
        for timeline in timelines.values.sorted(by: { $0.audience < $1.audience }) {
            for (published, words, remedy) in timeline.sets.flatMap(\.armsInWords) {
                for item in published.set.items where item.titles[language] == nil {
                    violations.append(
                        Violation(
                            path: "defaultLanguage", code: "title-missing",
                            message: "The item \(quoted(item.id.description)) of the \(words) of \(published.version) (audience "
                                + "\(timeline.audience)) has no title in \(language). \(remedy)"))
                }
            }
        }
        guard violations.isEmpty else {
            throw Failure(
                .conflict, "The published sets have no titles in \(language). Add them, then change the default language.",
                violations: violations)
        }
    }
}

extension PublishedSet {
    fileprivate var armsInWords: [(set: PublishedSet, words: String, remedy: String)] {
        let other = candidate.map { ($0.published(from: version), "candidate", "Stop the roll-out first.") }
        return [(self, "set", "Publish one first.")] + [other].compactMap { $0 }
    }
}

extension AppSnapshot {
    /// The app as if all drafts were published now, in the given order.
    /// - Parameter number: the number of each revision; nil for the numbers that they would get.
    package func publishing(_ drafts: [Draft], numbered number: Int64? = nil) -> AppSnapshot {
        drafts.reduce(self) { app, draft in
            app.after(
                Revision(
                    number: number ?? app.lastRevision + 1, kind: .published, version: draft.version, audience: draft.audience,
                    publishedAt: draft.savedAt, by: draft.savedBy, set: draft.set))
        }
    }
}

extension AdminStore {
    /// Every draft of the app, ascending by audience and version.
    package func drafts(of app: AppID) throws(Failure) -> [Draft] {
        var drafts: [Draft] = []
        var cursor: String?
        repeat {
            let page = try self.drafts(of: app, PageRequest(limit: 200, cursor: cursor))
            drafts += page.items
            cursor = page.next
        } while cursor != nil
        return drafts
    }
}
