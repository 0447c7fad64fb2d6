import QuickActions

/// Builds the events of changes. An event is built once, in the transaction of its change, and sent from the outbox.
package struct Announcer: Sendable {
    private let address: PublicAddress
    private let makeID: @Sendable () -> String
    /// Renders a menu for the entity tag in its event.
    package let render: @Sendable (MenuContent) -> RenderedMenu

    /// - Parameters:
    ///   - publicURL: the base of the URLs in events.
    ///   - makeID: returns new random text for an `EventID`: visible ASCII without a dot.
    package init(
        publicURL: String, makeID: @escaping @Sendable () -> String,
        render: @escaping @Sendable (MenuContent) -> RenderedMenu = { RenderedMenu($0) }
    ) {
        address = PublicAddress(publicURL)
        self.makeID = makeID
        self.render = render
    }

    /// Renders the menu. For a write that holds the writer, use the other function, with a rendered menu.
    /// - Parameter snapshot: the app before or after the publish.
    package func published(
        _ revision: Revision, _ set: ShortcutSet, replacing previous: PublishedSet?, in snapshot: AppSnapshot, by author: Author
    ) -> Event {
        let content = MenuContent(set, from: revision.version, for: revision.audience, in: snapshot)
        return published(revision, render(content), replacing: previous, by: author)
    }

    package func published(
        _ revision: Revision, _ menu: RenderedMenu, replacing previous: PublishedSet?, by author: Author
    ) -> Event {
        let (app, set) = (menu.content.app.id, menu.content.set)
        let before = previous?.set.items ?? []
        let added = set.items.filter { item in !before.contains { $0.id == item.id } }
        let removed = before.filter { set.item($0.id) == nil }
        let changed = set.items.filter { item in before.contains { $0.id == item.id && $0 != item } }
        return event(
            .published, app, author, .set(revision.version, revision.audience, of: app),
            [
                "audience": .string(revision.audience), "version": .string(revision.version), "revision": .integer(revision.number),
                "previousRevision": previous.map { .integer($0.revision) } ?? .null, "added": .strings(added.map(\.id)),
                "changed": .strings(changed.map(\.id)),
                "removed": .strings(removed.map(\.id)), "etag": .string(menu.etag(ofRevision: revision.number)),
                "url": .string(address.menu(of: app, revision.version, revision.audience, revision: revision.number)),
                "message": revision.message.map { .string($0) },
            ])
    }

    package func deleted(_ revision: Revision, of app: AppID, by author: Author) -> Event {
        event(
            .deleted, app, author, .set(revision.version, revision.audience, of: app),
            [
                "audience": .string(revision.audience), "version": .string(revision.version), "revision": .integer(revision.number),
                "message": revision.message.map { .string($0) },
            ])
    }

    /// A roll-out began, or its share changed.
    package func rolloutChanged(_ candidate: Candidate, of place: SetName, of app: AppID, by author: Author) -> Event {
        event(.rolloutChanged, app, author, .set(place.version, place.audience, of: app), members(candidate, of: place))
    }

    /// A roll-out ended and its candidate did not become the set.
    package func rolloutStopped(
        _ candidate: Candidate, of place: SetName, _ end: RolloutEnd, of app: AppID, by author: Author
    ) -> Event {
        event(
            .rolloutStopped, app, author, .set(place.version, place.audience, of: app),
            members(candidate, of: place).adding("reason", .string(end.rawValue)))
    }

    private func members(_ candidate: Candidate, of place: SetName) -> JSON {
        [
            "audience": .string(place.audience), "version": .string(place.version), "rollout": .string(candidate.rollout),
            "share": candidate.share.percent, "revision": .integer(candidate.revision),
        ]
    }

    package func scheduled(_ entry: ScheduleEntry, of app: AppID) -> Event {
        event(.scheduled, app, entry.author, .schedule(entry), planned(entry))
    }

    /// - Parameter failure: why the scheduled entry changed nothing.
    package func scheduleFailed(_ entry: ScheduleEntry, _ failure: Failure, of app: AppID, at time: Timestamp) -> Event {
        let own = Violation(path: "", code: failure.code.rawValue, message: failure.detail)
        // Standard Webhooks recommends bodies of at most 20 kB.
        let listed = (failure.violations.isEmpty ? [own] : failure.violations).prefix(20).map(\.json)
        return event(.scheduleFailed, app, entry.author.later(time), .schedule(entry), planned(entry).adding("violations", .array(listed)))
    }

    private func planned(_ entry: ScheduleEntry) -> JSON {
        [
            "audience": .string(entry.audience), "version": .string(entry.version), "at": .string(entry.at.shortText),
            "message": entry.message.map { .string($0) },
        ]
    }

    /// Somebody asked for a draft's approval, or for changes.
    package func reviewed(
        _ report: DraftReviewReport, _ request: DraftReviewDocument.Request, of app: AppID, by author: Author
    ) -> Event {
        let draft = report.draft
        return event(
            .review, app, author, .set(draft.version, draft.audience, of: app, kind: .draft),
            [
                "audience": .string(draft.audience), "version": .string(draft.version),
                "state": .string((request.asksForChanges ? DraftReview.State.changes : .requested).rawValue),
                "comment": request.comment.map { .string($0) },
            ])
    }

    /// An owner bypassed the approvals that the app requires.
    /// - Parameters:
    ///   - set: the version and audience; nil if the override was not for one set.
    ///   - revision: the published revision; nil if there is not exactly one, or not yet.
    package func override(
        _ reason: OverrideReason, of set: (version: AppVersion, audience: Audience)?, revision: Int64?, of app: AppID,
        by author: Author
    ) -> Event {
        event(
            .override, app, author, set.map { .set($0.version, $0.audience, of: app) } ?? .app(app),
            [
                "audience": set.map { .string($0.audience) }, "version": set.map { .string($0.version) },
                "revision": revision.map(JSON.integer), "reason": .string(reason),
            ])
    }

    package func appCreated(_ app: AppID, by author: Author) -> Event { event(.appCreated, app, author, .app(app), [:]) }

    package func appDeleted(_ app: AppID, by author: Author) -> Event { event(.appDeleted, app, author, .app(app), [:]) }

    package func releaseImported(_ release: AppBuild, _ effect: ReleaseEffect, of app: AppID, by author: Author) -> Event {
        event(.releaseImported, app, author, .release(release, of: app), members(release, effect))
    }

    package func releaseDeleted(_ release: AppBuild, _ effect: ReleaseEffect, of app: AppID, by author: Author) -> Event {
        event(.releaseDeleted, app, author, .release(release, of: app), members(release, effect))
    }

    private func members(_ release: AppBuild, _ effect: ReleaseEffect) -> JSON {
        [
            "version": .string(release.version), "build": .optional(release.build),
            "shownDifferently": Array(effect.shownDifferently.prefix(100)).json,
        ]
    }

    /// - Parameter endpoint: the endpoint after it was disabled. The event leaves out its path and query, which may be a credential.
    package func webhookDisabled(_ endpoint: Endpoint, by author: Author) -> Event {
        event(
            .webhookDisabled, nil, author, .webhook(endpoint),
            [
                "id": .string(endpoint.id), "url": .optional(endpoint.url.origin), "description": .optional(endpoint.description),
                "reason": .optional(endpoint.disabledReason?.rawValue),
            ])
    }

    package func ping(_ endpoint: Endpoint, by author: Author) -> Event { event(.ping, nil, author, .webhook(endpoint), [:]) }

    /// The event contains the author's name and owner, but neither ids nor addresses.
    private func event(_ type: EventType, _ app: AppID?, _ author: Author, _ target: AuditTarget, _ data: JSON) -> Event {
        let subject: JSON = ["app": app.map { .string($0) }]
        let source: JSON = [
            "by": author.isService ? nil : .string(author.token), "owner": author.isService ? nil : .string(author.person),
            "target": target.json,
        ]
        let all = subject.adding(membersOf: data).adding(membersOf: source)
        let body: JSON = ["type": .string(type.rawValue), "timestamp": .string(author.at), "data": all]
        return Event(
            id: "msg_\(makeID())", type: type, app: app, occurredAt: author.at, body: body.encoded, traceParent: author.traceParent)
    }
}
