internal import Foundation
internal import QuickActions

/// The taps that were counted and not reported yet.
///
/// A batch is stored with its id before it is sent, and stays unchanged until the service has accepted it. The service counts an id once.
struct CountedTaps: Sendable, Equatable {
    /// Taps that are counted together.
    struct Kind: Hashable, Sendable {
        let audience: String
        /// Nil without a version tag.
        let item: String?
        let type: String
        let version: String?
        let revision: Int64?
        let outcome: String
        var arm: Arm?
    }

    /// The arm of the installation in a roll-out.
    struct Arm: Hashable, Sendable {
        let rollout: String
        let arm: RolloutArm
        /// The share that the installation chose by, for its first tap in the roll-out. Nil for further taps.
        let share: RolloutShare?
    }

    struct Batch: Sendable, Equatable {
        let id: String
        let since: Timestamp
        fileprivate let audience: String
        fileprivate let counts: [Kind: Int64]
    }

    /// The service's limits.
    private static let (mostKinds, mostOfAKind): (Int, Int64) = (100, 1000)
    /// The service keeps ids for 7 days. A later repetition could count twice.
    private static let longestTry = Duration.seconds(6 * 86_400)
    /// How much is stored if the service is never reached.
    private static let mostStored = 1000
    /// A menu has one roll-out at a time, and an ended one never runs again.
    private static let mostRollouts = 50

    private var pending: [Kind: Int64] = [:]
    /// The ids of the last roll-outs whose first tap was counted.
    private var begun: [String] = []
    private(set) var batch: Batch?
    /// When the last batch was sent.
    var sentAt: Timestamp?

    init() {}

    mutating func add(_ kind: Kind, in choice: ChosenArm? = nil) {
        var kind = kind
        let isFirst = choice.map { !begun.contains($0.rollout) } ?? false
        kind.arm = choice.map { Arm(rollout: $0.rollout, arm: $0.arm, share: isFirst ? $0.share : nil) }
        guard pending[kind] != nil || pending.count < Self.mostStored else { return }
        pending[kind, default: 0] += 1
        if isFirst, let choice { begun = (begun + [choice.rollout]).suffix(Self.mostRollouts) }
    }

    /// The batch to send: the one that was not accepted yet, else a new one. Nil if there are no taps.
    mutating func prepared(at now: Timestamp) -> Batch? {
        // After the clock was set back, the age of a batch is not known.
        if let batch, batch.since <= now, now < batch.since + Self.longestTry { return batch }
        batch = nil
        guard let audience = pending.keys.map(\.audience).min() else { return nil }
        var counts: [Kind: Int64] = [:]
        for (kind, count) in pending where kind.audience == audience && counts.count < Self.mostKinds {
            counts[kind] = min(count, Self.mostOfAKind)
            pending[kind] = count > Self.mostOfAKind ? count - Self.mostOfAKind : nil
        }
        batch = Batch(id: UUID().uuidString, since: now, audience: audience, counts: counts)
        return batch
    }

    /// Another process may have begun the next batch meanwhile.
    mutating func finish(_ finished: Batch) {
        if batch?.id == finished.id { batch = nil }
    }
}

extension CountedTaps.Batch {
    /// The document of `POST …/taps/counts`.
    var json: JSON {
        let counts = counts.map { kind, count in JSON.object(kind.members + [JSON.Member("count", .integer(count))]) }
        return ["batch": .string(id), "audience": .string(audience), "counts": .array(counts)]
    }
}

extension CountedTaps.Kind {
    fileprivate var members: [JSON.Member] {
        let registeredBy: JSON? = version.map { ["version": .string($0), "revision": revision.map { .integer($0) }] }
        let json: JSON = [
            "item": item.map { .string($0) }, "type": .string(type), "registeredBy": registeredBy, "outcome": .string(outcome),
            "rollout": arm?.json,
        ]
        return json.members
    }

    fileprivate init?(_ json: JSON, audience: String) {
        guard let type = json["type"]?.asText, let outcome = json["outcome"]?.asText else { return nil }
        let registeredBy = json["registeredBy"]
        self.init(
            audience: audience, item: json["item"]?.asText?.string, type: type.string, version: registeredBy?["version"]?.asText?.string,
            revision: registeredBy?["revision"]?.asInteger, outcome: outcome.string, arm: json["rollout"].flatMap(CountedTaps.Arm.init))
    }
}

extension CountedTaps.Arm {
    fileprivate var json: JSON {
        [
            "id": .string(rollout), "arm": .string(arm.rawValue), "threshold": share.map { .integer(Int64($0.threshold)) },
        ]
    }

    fileprivate init?(_ json: JSON) {
        guard let rollout = json["id"]?.asText, let arm = json["arm"]?.asText.flatMap({ RolloutArm(rawValue: $0.string) }) else {
            return nil
        }
        let share = json["threshold"]?.asInteger.flatMap { Int(exactly: $0) }.flatMap(RolloutShare.init)
        self.init(rollout: rollout.string, arm: arm, share: share)
    }
}

/// The stored form.
extension CountedTaps {
    init?(_ file: Data) {
        guard let bytes = Seal.open(file), let json = try? JSONReader.read(bytes) else { return nil }
        pending = Self.counts(json["pending"])
        begun = json["begun"]?.asElements?.compactMap { $0.asText?.string } ?? []
        sentAt = json["sentAt"]?.asInteger.map { Timestamp(milliseconds: $0) }
        if let stored = json["batch"], let id = stored["id"]?.asText, let since = stored["since"]?.asInteger {
            let counts = Self.counts(stored["counts"])
            batch = Batch(
                id: id.string, since: Timestamp(milliseconds: since), audience: counts.keys.first?.audience ?? Audience.default.description,
                counts: counts)
        }
    }

    var file: Data {
        let stored: JSON? = batch.map {
            ["id": .string($0.id), "since": .integer($0.since.milliseconds), "counts": Self.json($0.counts)]
        }
        let json: JSON = [
            "pending": Self.json(pending), "sentAt": sentAt.map { .integer($0.milliseconds) }, "batch": stored,
            "begun": begun.isEmpty ? nil : .array(begun.map { .string($0) }),
        ]
        return Seal.close(json.encoded)
    }

    private static func json(_ counts: [Kind: Int64]) -> JSON {
        .array(
            counts.map { kind, count in
                .object(kind.members + [JSON.Member("audience", .string(kind.audience)), JSON.Member("count", .integer(count))])
            })
    }

    private static func counts(_ json: JSON?) -> [Kind: Int64] {
        var counts: [Kind: Int64] = [:]
        for entry in json?.asElements ?? [] {
            guard let audience = entry["audience"]?.asText, let kind = Kind(entry, audience: audience.string),
                let count = entry["count"]?.asInteger, count > 0
            else { continue }
            counts[kind] = count
        }
        return counts
    }
}
