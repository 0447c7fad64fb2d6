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

/// What rows are split by on request, beside item, versions and outcome.
package enum TapDimension: String, CaseIterable, Sendable {
    case audience, revision, day
}

/// What a statistic is about.
package struct TapQuery: Sendable {
    package let period: TapPeriod
    /// The length of the buckets; nil for no buckets.
    package let bucket: TapBucketLength?
    package let dimensions: Set<TapDimension>

    package init(_ period: TapPeriod, bucket: TapBucketLength? = nil, by dimensions: Set<TapDimension> = []) {
        (self.period, self.bucket, self.dimensions) = (period, bucket, dimensions)
    }
}

/// Taps by who counted them.
package struct TapTotals: Equatable, Sendable {
    package let resolved: Int64
    package let reported: Int64

    package init(resolved: Int64, reported: Int64) {
        (self.resolved, self.reported) = (resolved, reported)
    }

    package var all: Int64 { resolved + reported }
}

/// The taps of one kind.
package struct TapRow: Equatable, Sendable {
    package let item: ItemID?
    package let tagVersion: AppVersion?
    package let version: AppVersion?
    package let outcome: TapOutcome
    /// Nil unless the query names the dimension, and for taps that were counted without it.
    package let audience: Audience?
    package let revision: Int64?
    /// The beginning of the day, UTC; nil unless the query names the dimension.
    package let day: Timestamp?
    package let totals: TapTotals

    package init(
        item: ItemID?, tagVersion: AppVersion?, version: AppVersion?, outcome: TapOutcome, audience: Audience?, revision: Int64?,
        day: Timestamp?, totals: TapTotals
    ) {
        (self.item, self.tagVersion, self.version, self.outcome) = (item, tagVersion, version, outcome)
        (self.audience, self.revision, self.day, self.totals) = (audience, revision, day, totals)
    }
}

/// The taps of an app in a period.
package struct TapStatistics: Sendable {
    package typealias Outcomes = [TapOutcome: TapTotals]

    package let query: TapQuery
    package let outcomes: Outcomes
    /// The most frequent first.
    package let rows: [TapRow]
    /// The buckets that have taps, by their start times; nil if none were requested.
    package let buckets: [Timestamp: Outcomes]?

    package init(_ query: TapQuery, outcomes: Outcomes, rows: [TapRow], buckets: [Timestamp: Outcomes]?) {
        (self.query, self.outcomes, self.rows, self.buckets) = (query, outcomes, rows, buckets)
    }

    package var json: JSON {
        let head: JSON = ["since": .string(query.period.since.shortText), "until": query.period.until.map { .string($0.shortText) }]
        let lists: JSON = [
            "items": .array(rows.map { $0.json(by: query.dimensions) }),
            "buckets": (buckets?.sorted { $0.key < $1.key }).map { buckets in
                .array(buckets.map { JSON(dictionaryLiteral: ("since", .string($0.key.shortText))).adding(membersOf: $0.value.json) })
            },
        ]
        return head.adding(membersOf: outcomes.json).adding(membersOf: lists)
    }
}

extension TapStatistics.Outcomes {
    /// Members for an object.
    fileprivate var json: JSON {
        ["outcomes": json(of: \.all), "resolved": json(of: \.resolved), "reported": json(of: \.reported)]
    }

    private func json(of count: (TapTotals) -> Int64) -> JSON {
        .object(
            TapOutcome.allCases.compactMap { outcome in
                guard let count = self[outcome].map(count), count > 0 else { return nil }
                return JSON.Member(Text(outcome.rawValue), .integer(count))
            })
    }
}

extension TapRow {
    func json(by dimensions: Set<TapDimension>) -> JSON {
        [
            "item": .optional(item), "tagVersion": .optional(tagVersion), "version": .optional(version),
            "outcome": .string(outcome.rawValue), "audience": dimensions.contains(.audience) ? .optional(audience) : nil,
            "revision": dimensions.contains(.revision) ? revision.map { .integer($0) } ?? .null : nil,
            "day": day.map { .string($0.shortText) }, "count": .integer(totals.all), "resolved": .integer(totals.resolved),
            "reported": .integer(totals.reported),
        ]
    }
}
