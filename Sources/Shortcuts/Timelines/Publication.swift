import QuickActions

/// The outcome of applying a `SetChange` to an app: a revision and warnings. Pure; the store computes it inside its transaction.
package struct Publication: Sendable {
    package let revision: Revision
    package let warnings: [Warning]
    /// The set that the revision replaces or deletes; nil for the first one of its version.
    package let previous: PublishedSet?
    /// The settings of a roll-out that begins; nil for other changes.
    package let settings: RolloutSettings?
    /// Whether a candidate becomes the set.
    package let isPromotion: Bool
    /// What `previous` is replaced with; nil for a deletion.
    package let menu: MenuContent?
    /// The ids of its items that may never have been published in the timeline.
    package let newIDs: [ItemID]
    /// Why an owner bypassed the approvals that the app requires; nil if none are missing.
    package let override: OverrideReason?

    package var action: AuditEntry.Action {
        isPromotion ? .rolloutPromoted : revision.kind == .deleted ? .setDeleted : .setPublished
    }

    package enum Plan: Sendable {
        /// The content is already published, as this revision.
        case unchanged(revision: Int64, warnings: [Warning])
        case change(Publication)
    }

    /// - Parameters:
    ///   - revision: the number to give, the app's next one.
    ///   - known: see `AppReader.publishedIDs`.
    /// - Throws: `preconditionFailed`, `idReused`, `approvalMissing`, `unknownResource`, or `invalidDocument` if the app's default language
    ///   has changed since the document was checked.
    package static func plan(
        _ change: SetChange, in snapshot: AppSnapshot, revision: Int64,
        known: (Set<ItemID>) throws(Failure) -> Set<ItemID>, by author: Author
    ) throws(Failure) -> Plan {
        let timeline = snapshot.ownTimeline(of: change.audience)
        let previous = timeline.set(startingAt: change.version)
        try change.requireNoCandidate(of: previous)
        guard let set = try change.content(in: timeline, of: snapshot.app) else {
            return .change(try deletion(change, in: timeline, of: snapshot, revision: revision, by: author))
        }
        try set.requireTitles(in: snapshot.app.defaultLanguage)
        if change.isPromotion, let previous, let candidate = previous.candidate {
            try change.writeCondition.require(previous, or: candidate)
        } else {
            try change.writeCondition.require(previous)
        }
        let known = try known(set.succeededIDs)
        let context = SetContext(set, from: change.version, in: timeline, of: snapshot, known: known)
        if let previous, previous.set.hasSameDocument(as: set) {
            if change.settings != nil { throw .sameAsSet(previous) }
            return .unchanged(revision: previous.revision, warnings: context.warnings)
        }
        try timeline.requireNoReusedIDs(in: set, from: change.version)
        let entry = Revision(
            number: revision, kind: change.settings == nil ? .published : .candidate, version: change.version, audience: change.audience,
            publishedAt: author.at, by: author.token, set: set, message: change.message)
        let override = try change.isPromotion ? nil : change.consent.require(by: snapshot.app)
        let menu = MenuContent(set, from: change.version, for: change.audience, in: snapshot)
        return .change(
            Publication(
                revision: entry, warnings: context.warnings, previous: previous, settings: change.settings,
                isPromotion: change.isPromotion,
                menu: change.settings == nil ? menu : nil,
                newIDs: set.items.map(\.id).filter { !known.contains($0) }, override: override))
    }

    private static func deletion(
        _ change: SetChange, in timeline: Timeline, of snapshot: AppSnapshot, revision: Int64, by author: Author
    ) throws(Failure) -> Publication {
        let previous = try timeline.requireSet(startingAt: change.version)
        try change.writeCondition.require(previous)
        let override = try change.consent.require(by: snapshot.app)
        let entry = Revision(
            number: revision, kind: .deleted, version: change.version, audience: change.audience,
            publishedAt: author.at, by: author.token, set: nil, message: change.message)
        let warnings = timeline.warningsOfDeleting(previous, fallback: snapshot.timeline(for: .default))
        return Publication(
            revision: entry, warnings: warnings, previous: previous, settings: nil, isPromotion: false, menu: nil, newIDs: [],
            override: override)
    }
}

extension SetChange {
    /// The content to publish; nil for a deletion.
    func content(in timeline: Timeline, of app: App) throws(Failure) -> ShortcutSet? {
        switch action {
        case .publish(let set): return set
        case .rollOut(let set, _):
            _ = try timeline.requireSet(startingAt: version)
            return set
        case .promote: return try timeline.requireSet(startingAt: version).requireCandidate(for: audience).set
        case .delete: return nil
        case .patch(let patch):
            return try patch.applied(to: try timeline.requireSet(startingAt: version).set, defaultLanguage: app.defaultLanguage)
        }
    }
}

extension SetChange {
    /// Of a roll-out that begins; nil for other changes.
    var settings: RolloutSettings? { if case .rollOut(_, let settings) = action { settings } else { nil } }

    var isPromotion: Bool { if case .promote = action { true } else { false } }

    /// - Throws: `candidateRunning`. Only one roll-out of a set runs at a time.
    fileprivate func requireNoCandidate(of set: PublishedSet?) throws(Failure) {
        guard let set, let candidate = set.candidate, !isPromotion, !stopsCandidate else { return }
        switch action {
        case .rollOut: throw .candidateRunning(candidate, of: set, to: "start another roll-out")
        case .delete: throw .candidateRunning(candidate, of: set, to: "delete the set")
        case .publish, .patch, .promote: throw .candidateRunning(candidate, of: set, to: "publish another menu")
        }
    }
}

extension Failure {
    fileprivate static func sameAsSet(_ set: PublishedSet) -> Failure {
        Failure(.conflict, "The candidate is the set of \(set.version) (revision \(set.revision)). Change it, or publish nothing.")
    }
}
