import QuickActions

/// The taps that a client has counted, as one batch. The client repeats a batch until it is accepted, so a batch may arrive several times.
package struct TapReport: Sendable {
    /// The identifier of a batch, a UUID that the client has made.
    package struct ID: Hashable, Sendable, TextParsable {
        /// 16 bytes.
        package let bytes: [UInt8]

        /// Accepts both cases, as every UUID does (RFC 9562 section 4).
        package init?(_ text: String) {
            let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            guard groups.map(\.count) == [8, 4, 4, 4, 12] else { return nil }
            let digits = groups.joined().compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            guard digits.count == 32 else { return nil }
            bytes = stride(from: 0, to: 32, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        }

        package static func rule(for text: String) -> String {
            "\(quoted(text)) is not a UUID. Use 32 hexadecimal digits with hyphens, such as 3f2504e0-4f89-41d3-9a0c-0305e82c3301."
        }
    }

    /// What the store has done with a batch.
    package struct Progress: Equatable, Sendable {
        /// The taps that this call has counted.
        package let added: Int
        /// The taps of the batch that are not counted yet.
        package let left: Int

        package init(added: Int, left: Int) {
            (self.added, self.left) = (added, left)
        }
    }

    package let app: AppID
    package let id: ID
    /// The reported kinds, each once. The order does not depend on the order in the document, because a client may write a repeated batch
    /// in another order.
    package let counts: [(kind: TapKind, count: Int)]
    /// The ids in `counts` that a set has, replaces or retires.
    package let mentionedIDs: Set<ItemID>
    /// The versions of the app's releases and sets.
    package let knownVersions: Set<AppVersion>
    package let hasReleases: Bool
    /// The sets of the roll-outs in `counts` that run.
    package let runningRollouts: [RolloutID: PublishedSet]

    package var total: Int { counts.reduce(0) { $0 + $1.count } }

    /// - Parameters:
    ///   - installed: the version of the app that made the taps.
    ///   - audience: the audience that the client asked for.
    init(_ id: ID, from installed: AppVersion, _ audience: Audience, _ taps: [ReportedTaps], in snapshot: AppSnapshot) {
        app = snapshot.app.id
        self.id = id
        let audience = snapshot.timeline(for: audience).audience
        var counts: [TapKind: Int] = [:]
        // An item of a draft that a preview link showed is not counted.
        for taps in taps where taps.revision != VersionTag.draftRevision {
            let kind = TapKind(
                app: snapshot.app.id, counting: .reported, audience: audience, revision: snapshot.knownRevision(taps.revision),
                item: taps.item, tagVersion: taps.version, version: installed, outcome: taps.outcome, choice: taps.choice)
            counts[kind, default: 0] += taps.count
        }
        self.counts = counts.map { ($0.key, $0.value) }.sorted { $0.kind.order < $1.kind.order }
        let ids = Set(counts.keys.compactMap(\.item))
        mentionedIDs = snapshot.mentioned(among: ids)
        hasReleases = !snapshot.releases.isEmpty
        runningRollouts = counts.keys.contains { $0.choice != nil } ? snapshot.runningRollouts : [:]
        knownVersions = Set(snapshot.releases.map(\.id.version) + snapshot.timelines.values.flatMap { $0.sets.map(\.version) })
    }

    /// The next taps of the batch. They are in a fixed order that mixes the kinds: if only a part is counted, no arm of a roll-out is ahead.
    /// - Parameters:
    ///   - counted: the number of taps to skip, which are counted already.
    ///   - limit: the most taps to return.
    package func counts(after counted: Int, atMost limit: Int) -> [TapKind: Int] {
        let (total, step) = (total, step)
        var next: [TapKind: Int] = [:]
        for number in counted..<max(counted, min(total, counted + limit)) {
            var position = number * step % total
            for (kind, count) in counts {
                guard position >= count else {
                    next[kind, default: 0] += 1
                    break
                }
                position -= count
            }
        }
        return next
    }

    /// A number without a common divisor with `total`, near its golden section: multiples of it visit each tap once, and spread evenly.
    private var step: Int {
        func divisor(_ a: Int, _ b: Int) -> Int { b == 0 ? a : divisor(b, a % b) }
        var step = max(1, total * 618 / 1000)
        while divisor(step, total) > 1 { step += 1 }
        return step
    }
}

/// One entry of a report.
struct ReportedTaps {
    let item: ItemID?
    /// The version and revision that registered the item.
    let version: AppVersion?
    let revision: Int64?
    let outcome: TapOutcome
    let count: Int
    let choice: RolloutChoice?
}

extension TapKind {
    /// Any total order of the reported kinds of one batch.
    fileprivate var order: String {
        """
        \(item?.description ?? "") \(tagVersion?.description ?? "") \(revision ?? 0) \(outcome.rawValue) \(choice?.rollout.description ?? "") \
        \(choice?.arm.rawValue ?? "") \(choice?.share?.threshold ?? -1)
        """
    }
}

extension AppSnapshot {
    /// Takes one pass over the sets, the newest first, however many ids there are.
    fileprivate func mentioned(among ids: Set<ItemID>) -> Set<ItemID> {
        var found: Set<ItemID> = []
        func note(_ id: ItemID) { if ids.contains(id) { found.insert(id) } }
        for timeline in timelines.values {
            for published in timeline.sets.reversed() where found.count < ids.count {
                for item in published.set.items {
                    note(item.id)
                    item.replaces.forEach(note)
                }
                for retired in published.set.retired { note(retired.id) }
            }
        }
        return found
    }
}

/// The body of `POST …/taps/counts`. Unknown members are ignored, as in a tap.
package struct TapReportDocument {
    /// The most entries of a batch, and the most taps of an entry.
    package static let (maxEntries, maxCount) = (100, 1000)

    private let json: JSON

    package init(_ json: JSON) {
        self.json = json
    }

    /// - Parameter version: the installed version.
    package func report(from version: AppVersion, in snapshot: AppSnapshot) throws(Failure) -> TapReport {
        let checker = DocumentChecker()
        let body = checker.lenientObject(json, at: .root, known: ["batch", "audience", "counts"])
        let id: TapReport.ID? = body?.required("batch") { checker.parsed($0, at: $1, "id-invalid") }
        let audience = body?.optional("audience", checker.audience)
        let taps = body?.required("counts") { json, path in
            checker.array(json, at: path, atMost: Self.maxEntries)?.enumerated().compactMap { checker.reportedTaps($1, at: path[$0]) }
        }
        try checker.finish()
        guard let id, let taps else { throw .invalidDocument(checker.violations) }
        return TapReport(id, from: version, audience ?? .default, taps, in: snapshot)
    }
}

extension DocumentChecker {
    /// An object whose unknown members are ignored.
    func lenientObject(_ json: JSON, at path: DocumentPath, known: Set<String>) -> CheckedObject? {
        guard case .object(let members) = json else { return object(json, at: path, known: known) }
        return object(.object(members.filter { known.contains($0.name.string) }), at: path, known: known)
    }

    /// Reads every member, so that all violations are found.
    fileprivate func reportedTaps(_ json: JSON, at path: DocumentPath) -> ReportedTaps? {
        guard let entry = lenientObject(json, at: path, known: ["item", "type", "registeredBy", "outcome", "count", "rollout"]) else {
            return nil
        }
        let item = entry.optional("item", itemID)
        // The type is not counted.
        _ = entry.required("type", anyString)
        let registration = entry.optional("registeredBy") { lenientObject($0, at: $1, known: ["version", "revision"]) }
        let version = registration?.required("version", appBuild)?.version
        let revision = registration?.optional("revision") { integer($0, at: $1, in: .min ... .max) }
        let outcome = entry.required("outcome", tapOutcome)
        let count = entry.required("count") { integer($0, at: $1, in: 1...Int64(TapReportDocument.maxCount)) }
        let choice = entry.optional("rollout", rolloutChoice)
        guard let outcome, let count else { return nil }
        return ReportedTaps(item: item, version: version, revision: revision, outcome: outcome, count: Int(count), choice: choice)
    }

    /// A string that a device has sent. Its characters do not matter.
    func anyString(_ json: JSON, at path: DocumentPath) -> Text? {
        guard case .string(let text) = json else {
            mismatch(json, at: path, wanted: "a string")
            return nil
        }
        return text
    }

    private func tapOutcome(_ json: JSON, at path: DocumentPath) -> TapOutcome? {
        let rule = { (text: String) in
            "\(quoted(text)) is not an outcome. Use one of: \(TapOutcome.allCases.map(\.rawValue).joined(separator: ", "))."
        }
        return parsed(json, at: path, "outcome-unknown", rule) { TapOutcome(rawValue: $0) }
    }
}
