import QuickActions

/// Who counted a tap.
package enum TapCounting: String, CaseIterable, Sendable {
    /// The service, which resolved the tap.
    case resolved
    /// A client, which resolved the tap itself or asked the service not to count it, and later sent its counts.
    case reported
}

/// The dimensions by which taps are counted. None of them identifies a person.
package struct TapKind: Hashable, Sendable {
    package let app: AppID
    package let counting: TapCounting
    /// The audience whose menu the client is served. Nil in the overflow kinds.
    package var audience: Audience?
    /// The revision that registered the item, from the tag. Nil without a tag, for numbers that the app never had, and in the overflow
    /// kinds.
    package var revision: Int64?
    /// The tapped item's id. Nil for a tap without an id, and in the overflow kind.
    package var item: ItemID?
    /// The version that registered the item, from the tag. Nil without a tag, for versions that are counted together, and in the overflow
    /// kind.
    package var tagVersion: AppVersion?
    /// The installed version. Nil for versions that are counted together, and in the overflow kind.
    package var version: AppVersion?
    package let outcome: TapOutcome
    /// The roll-out in which the client chose its menu. The statistics of taps do not have it.
    package var choice: RolloutChoice?

    package init(
        app: AppID, counting: TapCounting = .resolved, audience: Audience? = nil, revision: Int64? = nil, item: ItemID?,
        tagVersion: AppVersion?, version: AppVersion?, outcome: TapOutcome, choice: RolloutChoice? = nil
    ) {
        self.app = app
        self.counting = counting
        self.audience = audience
        self.revision = revision
        self.item = item
        self.tagVersion = tagVersion
        self.version = version
        self.outcome = outcome
        self.choice = choice
    }

    /// The kind for taps above the limit of kinds: the outcome alone. Ids and versions are client input, so the number of kinds must be
    /// bounded.
    package var overflow: TapKind {
        TapKind(app: app, counting: counting, item: nil, tagVersion: nil, version: nil, outcome: outcome)
    }

    /// The kind for taps above the limit of kinds with an audience.
    package var withoutAudienceAndRevision: TapKind {
        var kind = self
        (kind.audience, kind.revision) = (nil, nil)
        return kind
    }

    package var withoutItem: TapKind {
        var kind = self
        kind.item = nil
        return kind
    }

    package var withoutChoice: TapKind {
        var kind = self
        kind.choice = nil
        return kind
    }

    /// Sets versions that are not in `known` to nil.
    package func naming(_ known: Set<AppVersion>) -> TapKind {
        var kind = self
        kind.tagVersion = tagVersion.flatMap { known.contains($0) ? $0 : nil }
        kind.version = version.flatMap { known.contains($0) ? $0 : nil }
        return kind
    }

    /// Whether the timeline certainly knows the id. `removed` is the outcome both of removed ids and of ids that never existed.
    package var isKnown: Bool { outcome != .removed || item == nil }
}

/// The key of a counter: the taps of one kind in one hour.
package struct HourlyTaps: Hashable, Sendable {
    package let kind: TapKind
    /// The first millisecond of the hour.
    package let hour: Timestamp

    package init(_ kind: TapKind, at time: Timestamp) {
        self.kind = kind
        hour = time.hour
    }

    package var overflow: HourlyTaps { HourlyTaps(kind.overflow, at: hour) }
    package var withoutChoice: HourlyTaps { HourlyTaps(kind.withoutChoice, at: hour) }
}

/// The counts that one process adds to the store in one call. The process repeats a batch until it knows that the batch was counted, and
/// starts no other batch before that. The store recognizes a repetition by the number.
package struct TapBatch: Sendable {
    /// Random text, different in each process.
    package let writer: String
    /// Increases with each batch.
    package let number: Int64
    package let counts: [HourlyTaps: Int]

    package init(writer: String, number: Int64, counts: [HourlyTaps: Int]) {
        (self.writer, self.number, self.counts) = (writer, number, counts)
    }
}

extension AppSnapshot {
    /// The revision of a tag; nil if the app never had one with this number.
    func knownRevision(_ revision: Int64?) -> Int64? {
        revision.flatMap { $0 >= 1 && $0 <= lastRevision ? $0 : nil }
    }
}

extension Timestamp {
    /// The first millisecond of its hour.
    package var hour: Timestamp { beginning(of: .hour) }

    /// The first millisecond of its day, UTC.
    package var day: Timestamp { beginning(of: .day) }

    private func beginning(of length: TapBucketLength) -> Timestamp {
        let part = milliseconds % length.milliseconds
        return Timestamp(milliseconds: milliseconds - (part < 0 ? part + length.milliseconds : part))
    }
}
