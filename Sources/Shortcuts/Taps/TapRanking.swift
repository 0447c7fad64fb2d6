import QuickActions

/// The most tapped items of an app in a period.
package struct TapRanking: Sendable {
    package static let maxItems = 100
    package static let maxDays = 366

    package struct Item: Sendable {
        package let item: ItemID
        package var outcomes: [TapOutcome: Int64] = [:]
        /// By the installed version.
        package var versions: [AppVersion: Int64] = [:]
        /// By the beginning of the day, UTC.
        package var days: [Timestamp: Int64] = [:]

        package init(_ item: ItemID) { self.item = item }

        package var count: Int64 { outcomes.values.reduce(0, +) }
    }

    package let period: TapPeriod
    /// The most tapped first.
    package let items: [Item]
    /// The taps of other items, and of ids that no menu has.
    package let other: Int64

    package init(_ period: TapPeriod, items: [Item], other: Int64) {
        (self.period, self.items, self.other) = (period, items, other)
    }

    /// - Parameter end: of a period without an end.
    package func json(until end: Timestamp) -> JSON {
        let day = TapBucketLength.day.milliseconds
        let last = (period.until ?? end).milliseconds
        let days = stride(from: period.since.day.milliseconds, to: max(last, period.since.milliseconds + 1), by: Int(day)).map {
            Timestamp(milliseconds: $0)
        }
        return [
            "since": .string(period.since.shortText), "until": period.until.map { .string($0.shortText) },
            "days": .integer(Int64(days.count)),
            "items": .array(items.map { $0.json(on: days) }), "other": .integer(other),
        ]
    }
}

extension TapRanking.Item {
    fileprivate func json(on days: [Timestamp]) -> JSON {
        let outcomes = TapOutcome.allCases.compactMap { outcome in
            self.outcomes[outcome].map { JSON.Member(Text(outcome.rawValue), .integer($0)) }
        }
        let versions = versions.sorted { $0.key > $1.key }.map { JSON.Member(Text($0.key.description), .integer($0.value)) }
        return [
            "item": .string(item), "count": .integer(count), "lost": .integer(self.outcomes[.removed] ?? 0),
            "outcomes": .object(outcomes), "versions": .object(versions), "byDay": .array(days.map { .integer(self.days[$0] ?? 0) }),
        ]
    }
}

extension TapStatistics {
    /// The rows as comma-separated values (RFC 4180) with a header line.
    package var csv: String {
        let dimensions = TapDimension.allCases.filter(query.dimensions.contains).map(\.rawValue)
        let names = ["item", "tagVersion", "version", "outcome"] + dimensions + ["count", "resolved", "reported"]
        let lines = rows.map { row in
            let json = row.json(by: query.dimensions)
            return names.map { name in
                switch json[Text(name)] {
                case .string(let text)?: text.string
                case .integer(let number)?: "\(number)"
                default: ""
                }
            }
        }
        return ([names] + lines).map { $0.joined(separator: ",") + "\r\n" }.joined()
    }
}
