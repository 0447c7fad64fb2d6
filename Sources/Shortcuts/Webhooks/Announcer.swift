import QuickActions

/// Builds the events of changes. An event is built once, in the transaction of its change, and sent from the outbox.
package struct Announcer: Sendable {
    private let address: PublicAddress
    private let makeID: @Sendable () -> String

    /// - Parameters:
    ///   - publicURL: the base of the URLs in events.
    ///   - makeID: returns new random text for an `EventID`: visible ASCII without a dot.
    package init(publicURL: String, makeID: @escaping @Sendable () -> String) {
        address = PublicAddress(publicURL)
        self.makeID = makeID
    }

    func published(_ revision: Revision, _ set: ShortcutSet, replacing previous: PublishedSet?, in snapshot: AppSnapshot) -> Event {
        published(revision, set, replacing: previous, in: snapshot, at: revision.publishedAt)
    }

    /// - Parameter time: when the revision took effect in this store, which for an import is later than it was published.
    package func published(
        _ revision: Revision, _ set: ShortcutSet, replacing previous: PublishedSet?, in snapshot: AppSnapshot, at time: Timestamp
    ) -> Event {
        let before = previous?.set.items ?? []
        let added = set.items.filter { item in !before.contains { $0.id == item.id } }
        let removed = before.filter { set.item($0.id) == nil }
        let changed = set.items.filter { item in before.contains { $0.id == item.id && $0 != item } }
        return event(
            .published, snapshot.app.id, time,
            [
                "audience": .string(revision.audience), "version": .string(revision.version), "revision": .integer(revision.number),
                "previousRevision": previous.map { .integer($0.revision) } ?? .null, "added": .strings(added.map(\.id)),
                "changed": .strings(changed.map(\.id)),
                "removed": .strings(removed.map(\.id)), "etag": .optional(etag(of: revision, after: snapshot)),
                "url": .string(address.menu(of: snapshot.app.id, revision.version, revision.audience, revision: revision.number)),
            ])
    }

    package func deleted(_ revision: Revision, of app: AppID) -> Event {
        event(
            .deleted, app, revision.publishedAt,
            ["audience": .string(revision.audience), "version": .string(revision.version), "revision": .integer(revision.number)])
    }

    package func scheduled(_ entry: ScheduleEntry, of app: AppID) -> Event {
        event(.scheduled, app, entry.author.at, planned(entry))
    }

    /// - Parameter failure: why the entry that was due has changed nothing.
    package func scheduleFailed(_ entry: ScheduleEntry, _ failure: Failure, of app: AppID, at time: Timestamp) -> Event {
        let own = Violation(path: "", code: failure.code.rawValue, message: failure.detail)
        // Standard Webhooks recommends bodies of at most 20 kB.
        let listed = (failure.violations.isEmpty ? [own] : failure.violations).prefix(20).map(\.json)
        return event(.scheduleFailed, app, time, planned(entry).adding("violations", .array(listed)))
    }

    private func planned(_ entry: ScheduleEntry) -> JSON {
        ["audience": .string(entry.audience), "version": .string(entry.version), "at": .string(entry.at.shortText)]
    }

    /// An owner did without approvals that the app requires.
    /// - Parameters:
    ///   - set: the version and audience; nil where it was not about one set.
    ///   - revision: what was published; nil where there is not exactly one, or not yet.
    package func override(
        _ reason: OverrideReason, of set: (version: AppVersion, audience: Audience)?, revision: Int64?, of app: AppID, at time: Timestamp
    ) -> Event {
        event(
            .override, app, time,
            [
                "audience": set.map { .string($0.audience) }, "version": set.map { .string($0.version) },
                "revision": revision.map(JSON.integer), "reason": .string(reason),
            ])
    }

    package func appCreated(_ app: AppID, at time: Timestamp) -> Event { event(.appCreated, app, time, [:]) }

    package func appDeleted(_ app: AppID, at time: Timestamp) -> Event { event(.appDeleted, app, time, [:]) }

    package func releaseImported(_ release: AppBuild, _ effect: ReleaseEffect, of app: AppID, at time: Timestamp) -> Event {
        event(.releaseImported, app, time, members(release, effect))
    }

    package func releaseDeleted(_ release: AppBuild, _ effect: ReleaseEffect, of app: AppID, at time: Timestamp) -> Event {
        event(.releaseDeleted, app, time, members(release, effect))
    }

    private func members(_ release: AppBuild, _ effect: ReleaseEffect) -> JSON {
        [
            "version": .string(release.version), "build": .optional(release.build),
            "shownDifferently": Array(effect.shownDifferently.prefix(100)).json,
        ]
    }

    /// - Parameter endpoint: as it is disabled. Its path and query are left out: they may be a credential.
    package func webhookDisabled(_ endpoint: Endpoint, at time: Timestamp) -> Event {
        event(
            .webhookDisabled, nil, time,
            [
                "id": .string(endpoint.id), "url": .optional(endpoint.url.origin), "description": .optional(endpoint.description),
                "reason": .optional(endpoint.disabledReason?.rawValue),
            ])
    }

    package func ping(at time: Timestamp) -> Event { event(.ping, nil, time, [:]) }

    private func event(_ type: EventType, _ app: AppID?, _ time: Timestamp, _ data: JSON) -> Event {
        let subject: JSON = ["app": app.map { .string($0) }]
        let body: JSON = ["type": .string(type.rawValue), "timestamp": .string(time), "data": subject.adding(membersOf: data)]
        return Event(id: "msg_\(makeID())", type: type, app: app, occurredAt: time, body: body.encoded)
    }

    /// The entity tag of the answer to `GET url` without content negotiation, after the publish.
    private func etag(of revision: Revision, after snapshot: AppSnapshot) -> String? {
        let client = Client(build: AppBuild(revision.version), audience: revision.audience)
        // An apply announces its revisions in the app as it is after all of them.
        let isApplied = snapshot.timelines[revision.audience]?.set(startingAt: revision.version)?.revision == revision.number
        let answer = ShortcutsAnswer(for: client, in: isApplied ? snapshot : snapshot.after(revision))
        return answer.map { "\"\(entityHash(of: $0.json.encodedLine))\"" }
    }
}
