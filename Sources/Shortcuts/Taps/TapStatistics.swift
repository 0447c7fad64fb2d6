import QuickActions

/// A period of whole hours.
package struct TapPeriod: Sendable {
    package let since: Timestamp
    /// Exclusive; nil for no end.
    package let until: Timestamp?

    /// The hours from the one that contains `since`, up to those that begin before `until`.
    package init(since: Timestamp, until: Timestamp? = nil) {
        self.since = since.hour
        self.until = until.map { $0 == $0.hour ? $0 : $0.hour + .seconds(3600) }
    }
}

/// The length of the buckets of a statistic. They begin at the full hour, or at midnight UTC.
package enum TapBucketLength: String, CaseIterable, Sendable {
    case hour, day

    package var milliseconds: Int64 { self == .hour ? 3_600_000 : 86_400_000 }
}

/// The taps of an app in a period.
package struct TapStatistics: Sendable {
    package typealias Outcomes = [TapOutcome: Int64]

    package let period: TapPeriod
    package let outcomes: Outcomes
    /// The most frequent kinds, most frequent first.
    package let kinds: [(kind: TapKind, count: Int64)]
    /// The buckets that have taps, by their start times; nil if none were requested.
    package let buckets: [Timestamp: Outcomes]?

    package init(period: TapPeriod, outcomes: Outcomes, kinds: [(kind: TapKind, count: Int64)], buckets: [Timestamp: Outcomes]?) {
        (self.period, self.outcomes, self.kinds, self.buckets) = (period, outcomes, kinds, buckets)
    }

    package var json: JSON {
        [
            "since": .string(period.since.shortText), "until": period.until.map { .string($0.shortText) },
            "outcomes": outcomes.json, "items": .array(kinds.map { $0.kind.json.adding("count", .integer($0.count)) }),
            "buckets": (buckets?.sorted { $0.key < $1.key }).map { buckets in
                .array(buckets.map { ["since": .string($0.key.shortText), "outcomes": $0.value.json] })
            },
        ]
    }
}

extension TapStatistics.Outcomes {
    fileprivate var json: JSON {
        .object(TapOutcome.allCases.compactMap { outcome in self[outcome].map { JSON.Member(Text(outcome.rawValue), .integer($0)) } })
    }
}

extension TapKind {
    fileprivate var json: JSON {
        ["item": .optional(item), "tagVersion": .optional(tagVersion), "version": .optional(version), "outcome": .string(outcome.rawValue)]
    }
}
