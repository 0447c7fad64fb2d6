import QuickActions

/// What git last sent for an app. A plan compares it with what is published now and with the tree, so that an apply publishes only what
/// changed in git.
package struct AppliedDocuments: Sendable {
    /// The app's document, without its id; nil if git never sent it. `approvals` is left out if git did not name them.
    package var app: JSON?
    package var sets: [SetName: ShortcutSet]

    package static let none = AppliedDocuments(app: nil, sets: [:])

    package init(app: JSON?, sets: [SetName: ShortcutSet]) {
        self.app = app
        self.sets = sets
    }
}

/// How an apply treats what somebody published on the service since the last apply.
package enum ApplyMode: String, Sendable {
    /// The tree wins.
    case overwrite
    /// What git did not change stays, and changes of both sides are merged.
    case merge
}

/// The side that wins the conflicts of a document.
package enum ApplyWinner: String, Sendable {
    case git, live
}

/// A set that somebody changed on the service, and that git did not change. An apply leaves it alone.
package struct Drift: Sendable {
    package let name: SetName
    /// What git last sent; nil for a set that git never had.
    package let base: ShortcutSet?
    /// The published set; nil if it was deleted.
    package let live: PublishedSet?
    /// The revision that deleted the set. Only a dry run has it.
    package var deletion: Revision?
    /// When a campaign ends and the scheduler publishes the earlier set; nil without a campaign.
    package var revertsAt: Timestamp?
}

/// A document that git and somebody on the service changed differently. Nothing is applied before somebody decides.
package struct ApplyConflict: Sendable {
    /// Nil for the app's own document.
    package let name: SetName?
    /// Empty if one side deleted the set.
    package let members: [SetMerge.Conflict]
    package let base: ShortcutSet?
    package let git: ShortcutSet?
    package let live: PublishedSet?
    let path: DocumentPath
}

/// Compares the documents of a tree with what git last sent (base) and with the published documents (live).
struct TreeComparison {
    /// The sets to publish; nil for a deletion.
    private(set) var changes: [(SetName, ShortcutSet?)] = []
    /// Those of `changes` that contain changes of both sides.
    private(set) var merged: Set<SetName> = []
    /// The sets that the tree lacks although somebody changed them, by a decision for one of the sides.
    private(set) var decided: Set<SetName> = []
    private(set) var drift: [Drift] = []
    private(set) var conflicts: [ApplyConflict] = []
    /// The merged document of the app; nil if the tree has none.
    private(set) var app: RequestedApp?
    /// Whether `app` contains changes of both sides.
    private(set) var isAppMerged = false

    private let tree: AppTree
    private let base: AppliedDocuments
    private let live: AppSnapshot?
    private let winners: [Text: ApplyWinner]
    private let prunes: Bool
    private let checker = DocumentChecker()

    /// - Throws: `invalidDocument` if a merged set breaks a rule that both sides keep.
    init(_ tree: AppTree, base: AppliedDocuments, live: AppSnapshot?, _ options: ApplyOptions) throws(Failure) {
        self.tree = tree
        self.base = base
        self.live = live
        winners = options.winners[tree.id] ?? [:]
        prunes = options.prunes
        compareApp()
        let language = app?.defaultLanguage ?? live?.app.defaultLanguage
        let names = Set(tree.sets.map(\.key)).union(base.sets.keys).union(live?.keys ?? [])
        for name in names.sorted() { compare(name, titlesIn: language) }
        changes.sort { ($0.1 == nil ? 0 : 1, $0.0) < ($1.1 == nil ? 0 : 1, $1.0) }
        try checker.finish()
    }

    private mutating func compare(_ name: SetName, titlesIn language: LanguageTag?) {
        let (sent, base, live) = (tree.set(name), base.sets[name], self.live?.set(name))
        guard let sent else { return compareAbsent(name, base, live) }
        let git = sent.set
        if let live, live.set.hasSameDocument(as: git) { return }
        let isChangedInGit = base.map { !$0.hasSameDocument(as: git) } ?? true
        let isChangedLive = base.map { base in live.map { !$0.set.hasSameDocument(as: base) } ?? true } ?? (live != nil)
        guard isChangedInGit else { return drift.append(Drift(name: name, base: base, live: live)) }
        guard isChangedLive else { return changes.append((name, git)) }
        guard let live else { return decide(name, git: git, base, nil, at: sent.path) }
        let sides = SetMerge.Sides<JSON?>(
            base: base?.withoutUnknownMembers.json, mine: git.json, theirs: live.set.withoutUnknownMembers.json)
        var merge = SetMerge(sides)
        if !merge.conflicts.isEmpty {
            guard let winner = winners[Text(name.description)] else {
                conflicts.append(
                    ApplyConflict(name: name, members: merge.conflicts, base: base, git: git, live: live, path: sent.path))
                return
            }
            merge = SetMerge(sides, choices: merge.choices(of: winner))
        }
        guard let document = ShortcutSetDocument(merge.set, titlesIn: language).read(checker, at: sent.path) else { return }
        let set = document.keepingUnknownMembers(of: live.set)
        guard !live.set.hasSameDocument(as: set) else { return }
        changes.append((name, set))
        if !set.hasSameDocument(as: git) { merged.insert(name) }
    }

    /// A set that the tree does not have. Only `prune` deletes it.
    private mutating func compareAbsent(_ name: SetName, _ base: ShortcutSet?, _ live: PublishedSet?) {
        guard let live else { return }
        if let base, live.set.hasSameDocument(as: base) {
            if prunes { changes.append((name, nil)) }
        } else if base != nil, prunes {
            decide(name, git: nil, base, live, at: tree.path["sets"])
        } else {
            drift.append(Drift(name: name, base: base, live: live))
        }
    }

    /// One side deleted a set that the other one changed.
    private mutating func decide(_ name: SetName, git: ShortcutSet?, _ base: ShortcutSet?, _ live: PublishedSet?, at path: DocumentPath) {
        if git == nil, winners[Text(name.description)] != nil { decided.insert(name) }
        switch winners[Text(name.description)] {
        case .git?: changes.append((name, git))
        case .live?: break
        case nil: conflicts.append(ApplyConflict(name: name, members: [], base: base, git: git, live: live, path: path))
        }
    }

    private mutating func compareApp() {
        guard let git = tree.app else { return }
        app = git
        guard let live = live?.app, let base = base.app else { return }
        let sent = git.document
        // A document that does not name the approvals says nothing about them.
        let names = sent.members.map(\.name)
        let published = JSON.object(live.json.members.filter { names.contains($0.name) })
        let former = JSON.object(names.map { JSON.Member($0, base[$0] ?? published[$0] ?? .null) })
        // The merge of sets merges other members one by one.
        let sides = SetMerge.Sides<JSON?>(base: former, mine: sent, theirs: published)
        var merge = SetMerge(sides)
        if !merge.conflicts.isEmpty {
            guard let winner = winners["app"] else {
                conflicts.append(
                    ApplyConflict(name: nil, members: merge.conflicts, base: nil, git: nil, live: nil, path: tree.path["app"]))
                return
            }
            merge = SetMerge(sides, choices: merge.choices(of: winner))
        }
        let members = JSON.object(merge.set.members.filter { $0.name != "items" })
        guard let merged = AppDocument(members).read(checker, at: tree.path["app"], for: tree.id) else { return }
        app = merged
        isAppMerged = merged.document.encoded != sent.encoded && merged.document.encoded != former.encoded
    }
}

extension SetMerge {
    /// The merge of valid sets, in which conflicts are decided for `mine`; nil if it breaks a rule that both sides keep.
    static func resolved(base: ShortcutSet?, mine: ShortcutSet, theirs: ShortcutSet) -> ShortcutSet? {
        let merge = SetMerge(
            Sides<JSON?>(base: base?.withoutUnknownMembers.json, mine: mine.json, theirs: theirs.withoutUnknownMembers.json))
        return try? ShortcutSetDocument(merge.set, titlesIn: nil).checked().keepingUnknownMembers(of: theirs)
    }

    fileprivate func choices(of winner: ApplyWinner) -> Choices {
        Dictionary(conflicts.map { ($0.key, winner == .git ? .mine : .theirs) }, uniquingKeysWith: { first, _ in first })
    }
}

extension AppliedDocuments {
    /// After the tree was applied.
    /// - Parameters:
    ///   - removed: sets that are missing in the tree, and need no further comparison.
    ///   - drafted: the sets that became drafts. They are recorded when somebody publishes the draft.
    func sending(_ tree: AppTree, removed: Set<SetName>, drafted: Set<SetName>) -> AppliedDocuments {
        var documents = self
        if let app = tree.app { documents.app = app.document }
        for set in tree.sets where !drafted.contains(set.key) { documents.sets[set.key] = set.set }
        for name in removed { documents.sets[name] = nil }
        return documents
    }
}

extension Drift {
    /// `action` is what happened on the service since git last sent the set.
    var json: JSON {
        let action = live == nil ? "delete" : base == nil ? "create" : "update"
        return [
            "version": .string(name.version), "audience": .string(name.audience), "action": .string(action),
            "revision": (live?.revision ?? deletion?.number).map { .integer($0) } ?? .null,
            "at": (live?.publishedAt ?? deletion?.publishedAt).map { .string($0) } ?? .null,
            "by": .optional(live?.by ?? deletion?.by), "revertsAt": revertsAt.map { .string($0.shortText) },
            "difference": SetDifference(from: base, to: live?.set).json,
        ]
    }
}

extension ApplyConflict {
    /// `name` is that of a set, or `app`.
    var json: JSON {
        [
            "name": name.map { .string($0) } ?? "app", "revision": live.map { .integer($0.revision) } ?? .null,
            "at": live.map { .string($0.publishedAt) } ?? .null, "by": .optional(live?.by),
            "members": .array(members.map(\.json)),
            "git": name == nil ? nil : git?.json ?? .null, "live": name == nil ? nil : live?.set.json ?? .null,
        ]
    }
}
