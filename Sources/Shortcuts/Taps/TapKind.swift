import QuickActions

/// The dimensions that taps are counted by. None of them identifies a person.
package struct TapKind: Hashable, Sendable {
    package let app: AppID
    /// The tapped item's id; nil for a tap without one, and in the overflow kind.
    package let item: ItemID?
    /// The version that registered the item, from the tag.
    package let tagVersion: AppVersion?
    /// The installed version; nil in the overflow kind only.
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

    /// The kind that a tap is counted by once there are too many kinds: the outcome alone. Ids and versions are client input, so
    /// their number must be bounded.
    package var overflow: TapKind { TapKind(app: app, item: nil, tagVersion: nil, version: nil, outcome: outcome) }

    /// Whether the timeline is sure to know the id: `removed` is the outcome of ids that were dropped and of ids that never existed.
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
}

/// The taps of an app since the beginning of an hour.
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
    /// The first millisecond of its hour.
    package var hour: Timestamp {
        let length: Int64 = 3_600_000
        let part = milliseconds % length
        return Timestamp(milliseconds: milliseconds - (part < 0 ? part + length : part))
    }
}
