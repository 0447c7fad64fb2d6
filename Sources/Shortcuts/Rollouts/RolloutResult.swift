import Foundation
import QuickActions

/// A roll-out of a set, running or ended, without its content.
package struct RolloutRecord: Sendable {
    package let id: RolloutID
    package let share: RolloutShare
    package let revision: Int64
    package let startedAt: Timestamp
    /// Nil while it runs. `by` is nil if its guard ended it, or a node of an earlier version.
    package let end: (at: Timestamp, how: RolloutEnd, by: String?)?
    package let `guard`: RolloutGuard?

    package init(
        id: RolloutID, share: RolloutShare, revision: Int64, startedAt: Timestamp,
        end: (at: Timestamp, how: RolloutEnd, by: String?)?, guard: RolloutGuard?
    ) {
        (self.id, self.share, self.revision, self.startedAt, self.end, self.guard) = (id, share, revision, startedAt, end, `guard`)
    }
}

/// What the taps say about a roll-out so far (docs/decisions/0022-rollout-statistics.md).
package struct RolloutResult: Sendable {
    private static let maxHistory = 100

    private struct Kind: Hashable {
        let arm: RolloutArm
        let item: ItemID?
        let outcome: TapOutcome

        var order: String { "\(arm.rawValue) \(item?.description ?? "") \(outcome.rawValue)" }
    }

    private let rollout: RolloutRecord
    private let firstTaps: FirstTaps
    private let history: [(at: Timestamp, firstTaps: FirstTaps)]
    /// The most frequent first.
    private let items: [(kind: Kind, count: Int)]

    package init(of rollout: RolloutRecord, _ taps: [RolloutTaps: Int]) {
        self.rollout = rollout
        var (sum, history): (FirstTaps, [(at: Timestamp, firstTaps: FirstTaps)]) = (FirstTaps(), [])
        for (hour, counts) in Dictionary(grouping: taps, by: \.key.hour).sorted(by: { $0.key < $1.key }) {
            let before = sum
            for (taps, count) in counts { sum.add(count, taps) }
            if sum != before { history.append((hour + .milliseconds(TapBucketLength.hour.milliseconds), sum)) }
        }
        firstTaps = sum
        let step = max(1, (history.count + Self.maxHistory - 1) / Self.maxHistory)
        self.history = history.enumerated().filter { (history.count - 1 - $0.offset).isMultiple(of: step) }.map(\.element)
        let kinds = taps.map { (Kind(arm: $0.key.choice.arm, item: $0.key.item, outcome: $0.key.outcome), $0.value) }
        items = Dictionary(kinds, uniquingKeysWith: +).map { (kind: $0.key, count: $0.value) }.sorted {
            ($1.count, $0.kind.order) < ($0.count, $1.kind.order)
        }
    }

    /// The result in one sentence.
    package var summary: String {
        let ratio = firstTaps.ratio
        guard ratio.excludes(1) else { return "Too early to tell" }
        let (lower, upper) = (ratio.lower?.shown, ratio.upper?.shown)
        switch (ratio.estimate?.shown, lower, upper) {
        case (let estimate?, let lower?, let upper?): return "\(estimate) × as many phones tapped (\(lower) to \(upper))"
        case (_, let lower?, _): return "At least \(lower) × as many phones tapped"
        case (_, nil, let upper?): return "At most \(upper) × as many phones tapped"
        case (_, nil, nil): return "Too early to tell"
        }
    }

    package var json: JSON {
        [
            "id": .string(rollout.id), "share": rollout.share.percent, "revision": .integer(rollout.revision),
            "startedAt": .string(rollout.startedAt), "endedAt": rollout.end.map { .string($0.at) },
            "end": rollout.end.map { .string($0.how.rawValue) }, "endedBy": rollout.end?.by.map(JSON.string),
            "summary": .string(summary), "firstTaps": firstTaps.json,
            "ratio": firstTaps.ratio.json(), "lost": firstTaps.lostShare.json(times: 100), "guard": rollout.guard?.json,
            "history": .array(
                history.map { at, firstTaps in
                    let point: JSON = ["at": .string(at), "firstTaps": .integer(Int64(firstTaps.candidate + firstTaps.control))]
                    return point.adding(membersOf: firstTaps.ratio.json())
                }),
            "items": .array(
                items.map { kind, count in
                    [
                        "arm": .string(kind.arm.rawValue), "item": .optional(kind.item?.description),
                        "outcome": .string(kind.outcome.rawValue), "count": .integer(Int64(count)),
                    ]
                }),
        ]
    }
}

extension FirstTaps {
    package init(_ taps: [RolloutTaps: Int]) {
        self.init()
        for (taps, count) in taps { add(count, taps) }
    }

    fileprivate mutating func add(_ count: Int, _ taps: RolloutTaps) {
        guard let share = taps.choice.share else { return }
        add(count, of: taps.choice.arm, at: share, taps.outcome)
    }

    fileprivate var json: JSON {
        ["candidate": .integer(Int64(candidate)), "control": .integer(Int64(control)), "lost": .integer(Int64(lost))]
    }

    /// Why a guard has stopped a roll-out, with the numbers.
    package func figures(for end: RolloutEnd) -> JSON {
        ["reason": .string(end.rawValue), "firstTaps": json, "ratio": ratio.json(), "lost": lostShare.json(times: 100)]
    }
}

extension ConfidenceInterval {
    /// Without the members that are unknown.
    fileprivate func json(times factor: Double = 1) -> JSON {
        func number(_ value: Double?) -> JSON? { value.map { .real(($0 * factor).rounded(digits: 3)) } }
        return ["estimate": number(estimate), "lower": number(lower), "upper": number(upper)]
    }
}

extension Double {
    fileprivate func rounded(digits: Int) -> Double {
        let scale = pow(10, Double(digits))
        return (self * scale).rounded() / scale
    }

    /// For a person, with two digits; near 1 with as many as say whether it is more or less.
    fileprivate var shown: String {
        guard self > 0 else { return "0" }
        let digits = 1 - Int(log10(self).rounded(.down))
        let needed = abs(self - 1) < 0.1 ? max(2, Int((-log10(max(abs(self - 1), 1e-4))).rounded(.up))) : digits
        let number = rounded(digits: needed)
        return number == number.rounded() ? "\(Int(number))" : "\(number)"
    }
}
