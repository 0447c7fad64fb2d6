import QuickActions

/// Reads the member `schedule` of an app in an export.
struct ArchivedScheduleReader {
    private let drafts: ArchivedDraftsReader
    private let revisions: [Int64: Revision]
    private let candidates: [SetName: Candidate]

    init(of history: RevisionHistory, _ candidates: [SetName: Candidate], titlesIn language: LanguageTag?) {
        self.candidates = candidates
        drafts = ArchivedDraftsReader(titlesIn: language)
        revisions = Dictionary(history.revisions.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// - Parameter previous: entries that the document has elsewhere.
    /// - Returns: `previous`, followed by the schedule in the document's order.
    func read(_ document: CheckedObject, beside previous: [ScheduleEntry]) -> [ScheduleEntry] {
        let entries = previous + document.list("schedule") { json, path in entry(json, at: path, document.checker) }
        var publishes: [ScheduleID: ScheduleEntry] = [:]
        var seen: Set<ScheduleID> = []
        for entry in entries {
            if !seen.insert(entry.id).inserted {
                document.checker.note(
                    "duplicate-id", at: document.path(of: "schedule"),
                    "The entry \(quoted(entry.id.description)) occurs twice. Remove one of them.")
            }
            if entry.kind == .publish { publishes[entry.id] = entry }
        }
        for entry in entries {
            guard case .after(let id)? = entry.automaticRevert else { continue }
            if let publish = publishes[id], SetName(publish) == SetName(entry), publish.at < entry.at { continue }
            document.checker.note(
                "schedule-entry", at: document.path(of: "schedule"),
                "The entry \(quoted(entry.id.description)) follows \(quoted(id.description)), which is not an earlier publish of "
                    + "\(SetName(entry).inWords). Remove it.")
        }
        return entries
    }

    private func entry(_ json: JSON, at path: DocumentPath, _ checker: DocumentChecker) -> ScheduleEntry? {
        guard let document = checker.object(json, at: path, known: Self.members(of: json)) else { return nil }
        let id = document.required("id", checker.scheduleID)
        let at = document.required("at", checker.instant)
        let key = SetName(document)
        let scheduledAt = document.required("scheduledAt", checker.instant)
        let scheduledBy = document.required("scheduledBy", checker.tokenName)
        let automaticRevert = self.automaticRevert(document)
        let kind = document.required("kind", checker.scheduleKind)
        let action = kind.flatMap { self.action($0, document, for: key, isPending: automaticRevert?.isPending ?? false) }
        let message = document.optional("message", checker.revisionMessage)
        guard let key, let action, let id, let at, let scheduledAt, let scheduledBy
        else { return nil }
        return ScheduleEntry(
            id: id, version: key.version, audience: key.audience, at: at, action: action, automaticRevert: automaticRevert,
            message: message, author: Author(token: scheduledBy.string, address: "", request: "", at: scheduledAt))
    }

    /// The members that are allowed for the entry's kind.
    private static func members(of json: JSON) -> Set<String> {
        let own: Set = ["id", "at", "kind", "version", "audience", "scheduledAt", "scheduledBy"]
        return switch json["kind"] {
        case .string("publish"): own.union(ArchivedDraftsReader.members).union(["override", "message"])
        case .string("share"): own.union(["rollout", "share"])
        case .string("promote"), .string("stop"): own.union(["rollout", "message"])
        case .string("restore"): own.union(["revision", "expectedRevision", "follows", "message"])
        default: own.union(["expectedRevision", "follows"])
        }
    }

    private func automaticRevert(_ document: CheckedObject) -> ScheduleEntry.AutomaticRevert? {
        let follows = document.optional("follows", document.checker.scheduleID)
        let expected = document.optional("expectedRevision", document.checker.revisionNumber)
        return follows.map { .after($0) } ?? expected.map { .from(revision: $0) }
    }

    /// - Parameter isPending: whether the entry is the automatic revert of a publish that is still scheduled.
    private func action(
        _ kind: ScheduleEntry.Kind, _ document: CheckedObject, for key: SetName?, isPending: Bool
    ) -> ScheduleEntry.Action? {
        let checker = document.checker
        switch kind {
        case .publish:
            // In an older export. The importer has not given a reason, so it is dropped.
            _ = document.optional("override", checker.overrideReason)
            return drafts.content(of: document, for: key).map { .publish($0, override: nil) }
        case .restore where isPending: return .restore(nil)
        case .restore:
            guard let number = document.required("revision", checker.revisionNumber) else { return nil }
            guard let revision = revisions[number], key.map({ $0 == SetName(revision) }) ?? true, let set = revision.set else {
                checker.note(
                    "revision-content", at: document.path(of: "revision"),
                    "\(number) is not a published revision of this version and audience. Use one that is listed in revisions.")
                return nil
            }
            return .restore(ScheduleEntry.Content(revision: number, set: set))
        case .delete: return .delete
        case .share, .promote, .stop: return rollout(kind, document, for: key)
        }
    }

    private func rollout(_ kind: ScheduleEntry.Kind, _ document: CheckedObject, for key: SetName?) -> ScheduleEntry.Action? {
        let id = document.required("rollout", document.checker.anyString)
        let share = kind == .share ? document.required("share", document.checker.rolloutShare) : nil
        guard let id, let key else { return nil }
        guard let candidate = candidates[key], candidate.rollout.description == id.string else {
            document.checker.note(
                "schedule-entry", at: document.path(of: "rollout"),
                "\(quoted(id.string)) is not the roll-out of a candidate of \(key.inWords). Remove the entry.")
            return nil
        }
        return RolloutStep(kind, share, candidate.content).map { .rollout(candidate.rollout, $0) }
    }
}

extension ScheduleEntry.AutomaticRevert {
    fileprivate var isPending: Bool {
        if case .after = self { true } else { false }
    }
}

extension SetName {
    fileprivate init(_ entry: ScheduleEntry) {
        self.init(version: entry.version, audience: entry.audience)
    }
}

extension DocumentChecker {
    fileprivate func scheduleID(_ json: JSON, at path: DocumentPath) -> ScheduleID? {
        word(json, at: path, "an entry").map { ScheduleID($0) }
    }

    func rolloutID(_ json: JSON, at path: DocumentPath) -> RolloutID? {
        word(json, at: path, "a roll-out").map { RolloutID($0) }
    }

    private func word(_ json: JSON, at path: DocumentPath, _ subject: String) -> String? {
        let rule = { (text: String) in "\(quoted(text)) is not the id of \(subject). Use 1 to 128 letters, digits, periods, - and _." }
        return parsed(json, at: path, "id-invalid", rule) { text in
            let isWord = text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "._-".utf8.contains($0) }
            return isWord && (1...128).contains(text.utf8.count) ? text : nil
        }
    }

    fileprivate func scheduleKind(_ json: JSON, at path: DocumentPath) -> ScheduleEntry.Kind? {
        let rule = { (text: String) in "\(quoted(text)) is not a kind of entry. Use publish, restore, delete, share, promote or stop." }
        return parsed(json, at: path, "kind-unknown", rule) { ScheduleEntry.Kind(rawValue: $0) }
    }

    fileprivate func overrideReason(_ json: JSON, at path: DocumentPath) -> OverrideReason? {
        parsed(json, at: path, "text-invalid")
    }

    fileprivate func revisionNumber(_ json: JSON, at path: DocumentPath) -> Int64? {
        integer(json, at: path, in: 1...RevisionHistory.greatestNumber)
    }
}
