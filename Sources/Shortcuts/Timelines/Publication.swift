/// What follows from a `SetChange` on an app as it stands: pure, run by the store inside its transaction.
package struct Publication: Sendable {
    /// What the timeline says after it.
    package let revision: Revision
    package let warnings: [Warning]
    /// The set that stood there before; nil at first.
    package let former: PublishedSet?
    package let event: Event

    package enum Plan: Sendable {
        /// The content is already published as this revision.
        case unchanged(revision: Int64, warnings: [Warning])
        case change(Publication)
    }

    /// - Parameters:
    ///   - revision: the app's next number.
    ///   - known: those of the given ids that were ever published in the timeline.
    /// - Throws: `preconditionFailed`, `idReused`, `unknownResource`, or `invalidDocument` where the app's default language
    ///   has changed since the document was checked.
    package static func plan(
        _ change: SetChange, in snapshot: AppSnapshot, revision: Int64,
        known: (Set<ItemID>) throws(Failure) -> Set<ItemID>, by author: Author, announcer: Announcer
    ) throws(Failure) -> Plan {
        let timeline = snapshot.timelines[change.audience] ?? Timeline(audience: change.audience, sets: [])
        let former = timeline.set(startingAt: change.version)
        guard let set = try change.content(former, in: snapshot.app) else {
            return .change(
                try deletion(change, of: former, in: timeline, snapshot, revision: revision, by: author, announcer: announcer))
        }
        try set.requireTitles(in: snapshot.app.defaultLanguage)
        try change.precondition.require(former)
        let context = SetContext(
            set, from: change.version, in: timeline, of: snapshot, known: try known(set.succeededIDs))
        if let former, former.set.canonicalJSON == set.canonicalJSON {
            return .unchanged(revision: former.revision, warnings: context.warnings)
        }
        try timeline.requireMeaning(of: set, from: change.version)
        let entry = Revision(
            number: revision, kind: .published, version: change.version, audience: change.audience,
            publishedAt: author.at, by: author.token, set: set)
        let event = announcer.published(entry, set, replacing: former, in: snapshot)
        return .change(Publication(revision: entry, warnings: context.warnings, former: former, event: event))
    }

    private static func deletion(
        _ change: SetChange, of former: PublishedSet?, in timeline: Timeline, _ snapshot: AppSnapshot, revision: Int64,
        by author: Author, announcer: Announcer
    ) throws(Failure) -> Publication {
        guard let former else { throw .unknownSet(change.version, change.audience) }
        try change.precondition.require(former)
        let entry = Revision(
            number: revision, kind: .deleted, version: change.version, audience: change.audience,
            publishedAt: author.at, by: author.token, set: nil)
        let warnings = timeline.warningsOfDeleting(former, otherwise: snapshot.timeline(for: .default))
        return Publication(
            revision: entry, warnings: warnings, former: former,
            event: announcer.deleted(entry, of: snapshot.app.id))
    }
}

extension SetChange {
    /// What the set is to say; nil for a deletion.
    fileprivate func content(_ former: PublishedSet?, in app: App) throws(Failure) -> ShortcutSet? {
        switch action {
        case .publish(let set): return set
        case .delete: return nil
        case .patch(let patch):
            guard let former else { throw .unknownSet(version, audience) }
            return try patch.applied(to: former.set, defaultLanguage: app.defaultLanguage)
        }
    }
}

extension Precondition {
    package func require(_ former: PublishedSet?) throws(Failure) {
        let state = former.map { "The set is at revision \($0.revision)" } ?? "There is no such set"
        try require((former?.revision).map(String.init), state: state)
    }

    package func require(_ former: App?) throws(Failure) {
        try require(former?.tag, state: former.map { "The app's ETag is \"\($0.tag)\"" } ?? "There is no such app")
    }

    package func require(_ former: Release?) throws(Failure) {
        try require(former?.tag, state: former.map { "The release's ETag is \"\($0.tag)\"" } ?? "There is no such release")
    }

    /// - Parameter state: what stands, for the refusal.
    func require(_ tag: String?, state: String) throws(Failure) {
        guard holds(tag) else {
            throw Failure(
                .preconditionFailed,
                "\(state), which is not what If-Match or If-None-Match expects. Nothing was written: read it again, "
                    + "apply the edit and send it with the ETag you got.")
        }
    }
}

extension ShortcutSet {
    /// The ids that items replace or that are retired: their meaning ends here.
    package var succeededIDs: Set<ItemID> {
        Set(items.flatMap(\.replaces)).union(retired.map(\.id))
    }

    /// An item without a title in the default language could not be served in a language it lacks.
    package func requireTitles(in language: LanguageTag) throws(Failure) {
        var checker = DocumentChecker()
        checkTitles(in: language, &checker, at: .root)
        try checker.finish()
    }

    func checkTitles(in language: LanguageTag, _ checker: inout DocumentChecker, at path: DocumentPath) {
        for (index, item) in items.enumerated() where item.titles[language] == nil {
            let path = path["items"][index]["title"][Text(language.description)]
            checker.note(
                "title-missing", at: path, "\(path) is missing: every item needs a title in the app's default language.")
        }
    }
}

extension Timeline {
    /// Ids keep their meaning: read upward, an id that a set replaces or retires is no item of a later set.
    func requireMeaning(of set: ShortcutSet, from version: AppVersion) throws(Failure) {
        let violations = reusedIDs(of: set, from: version)
        guard violations.isEmpty else {
            let named = violations.map(\.message).joined(separator: " ")
            throw Failure(.idReused, named, violations: violations)
        }
    }

    /// The ids that would have two meanings with the set in the timeline.
    func reusedIDs(of set: ShortcutSet, from version: AppVersion) -> [Violation] {
        var violations: [Violation] = []
        let ended = set.succeededIDs
        for other in sets where other.version != version {
            let isEarlier = other.version < version
            let endedHere = isEarlier ? other.set.succeededIDs : ended
            for (index, item) in (isEarlier ? set : other.set).items.enumerated() where endedHere.contains(item.id) {
                let path = isEarlier ? DocumentPath.root["items"][index]["id"].description : ""
                let reason =
                    isEarlier
                    ? "the set of \(other.version) (revision \(other.revision)) replaces or retires it: give the item a new id"
                    : "it is an item of the later set of \(other.version) (revision \(other.revision)): do not replace or retire it here"
                violations.append(
                    Violation(
                        path: path, code: "id-reused",
                        message: "\(quoted(item.id.description)) would come back with another meaning; \(reason)."))
            }
        }
        return violations
    }
}
