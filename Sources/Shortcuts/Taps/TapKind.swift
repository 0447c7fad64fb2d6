import QuickActions

/// What of a tap is counted, and nothing that tells who made it.
package struct TapKind: Hashable, Sendable {
    package let app: AppID
    /// The tapped item's id; nil where the tap has none, and where kinds are counted together.
    package let item: ItemID?
    /// The version whose app registered the item.
    package let tagVersion: AppVersion?
    /// The version that is installed; nil only where kinds are counted together.
    package let version: AppVersion?
    package let outcome: TapOutcome

    package init(
        app: AppID, item: ItemID?, tagVersion: AppVersion?, version: AppVersion?, outcome: TapOutcome
    ) {
        self.app = app
        self.item = item
        self.tagVersion = tagVersion
        self.version = version
        self.outcome = outcome
    }

    /// All kinds of an outcome, counted together where there are too many to tell apart: anybody can make up ids and versions.
    package var collective: TapKind { TapKind(app: app, item: nil, tagVersion: nil, version: nil, outcome: outcome) }

    /// Whether the timeline knows the id; `removed` is said of ids that were dropped and of ids that never were.
    package var isKnown: Bool { outcome != .removed || item == nil }
}

/// Taps of one kind in an hour.
package struct HourlyTaps: Hashable, Sendable {
    package let kind: TapKind
    /// The hour's first moment.
    package let hour: Timestamp

    package init(_ kind: TapKind, at time: Timestamp) {
        self.kind = kind
        hour = time.hour
    }

    package var collective: HourlyTaps { HourlyTaps(kind.collective, at: hour) }
}

/// How often an app's items were tapped since an hour began.
package struct TapStatistics: Sendable {
    package let since: Timestamp
    package let outcomes: [TapOutcome: Int64]
    /// The most frequent kinds, most frequent first.
    package let kinds: [(kind: TapKind, count: Int64)]

    package init(since: Timestamp, outcomes: [TapOutcome: Int64], kinds: [(kind: TapKind, count: Int64)]) {
        self.since = since
        self.outcomes = outcomes
        self.kinds = kinds
    }

    package var json: JSON {
        [
            "since": .string(since.shortText),
            "outcomes": .object(
                TapOutcome.allCases.compactMap { outcome in
                    outcomes[outcome].map { JSON.Member(Text(outcome.rawValue), .integer($0)) }
                }), "items": .array(kinds.map { $0.kind.json.adding("count", .integer($0.count)) }),
        ]
    }
}

extension TapKind {
    fileprivate var json: JSON {
        ["item": .optional(item), "tagVersion": .optional(tagVersion), "version": .optional(version), "outcome": .string(outcome.rawValue)]
    }
}

extension Timestamp {
    /// The first moment of its hour.
    package var hour: Timestamp {
        let length: Int64 = 3_600_000
        let part = milliseconds % length
        return Timestamp(milliseconds: milliseconds - (part < 0 ? part + length : part))
    }
}
