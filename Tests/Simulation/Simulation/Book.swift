import HTTP
import HTTPServer
import QuickActions
import SimulationKernel

/// A place where sets are published: a version and an audience of an app.
struct Place: Hashable {
    let app: String
    let version: String
    let audience: String

    var path: String { "/admin/v1/apps/\(app)/sets/\(version)" }
    var query: String { audience == "default" ? "" : "?audience=\(audience)" }
}

/// A write whose content occurs nowhere else.
final class Write {
    enum Kind { case publish, draft, scheduled, imported }

    let number: Int
    let kind: Kind
    let place: Place
    let startedAt: Int64
    /// The people who saved the draft, for a draft.
    var editors: Set<String> = []
    /// The people who asked to approve exactly this content.
    var approvers: Set<String> = []
    /// Whether an owner overrode the approvals.
    var isOverridden = false
    /// When it shall be published, in milliseconds of the database's clock.
    var due: Int64?
    var acknowledgedAt: Int64?
    /// How often somebody asked to restore it.
    var restores = 0
    /// Whether somebody asked to cancel its entry of the schedule, and when that was acknowledged.
    var isCancelling = false
    var cancelledAt: Int64?
    var revision: Int64?
    var node: Node?
    /// The status that refused it.
    var refusal: Int?

    var marker: String { "w\(number)" }

    init(_ number: Int, _ kind: Kind, _ place: Place) {
        (self.number, self.kind, self.place, startedAt) = (number, kind, place, Kernel.now)
    }

    /// A menu with the marker as its title.
    func document(items: Int) -> String {
        let others = (1..<max(items, 1)).map { #"{"id": "i\#($0)", "type": "t\#($0)", "title": {"en": "T\#($0)"}}"# }
        return #"{"items": [\#(([#"{"id": "m", "type": "open", "title": {"en": "\#(marker)"}}"#] + others).joined(separator: ", "))]}"#
    }
}

struct Acknowledgement {
    let at: Int64
    let node: Node
    let process: Int
    let revision: Int64
}

/// What the clients know: every write, and what was acknowledged when and where.
final class Book {
    var apps: [String] = []
    /// The number of approvals that an app requires, from the beginning.
    var approvals: [String: Int] = [:]
    var writes: [Write] = []
    /// Acknowledged revisions by place, for places where revisions only grow.
    private var acknowledged: [Place: [Acknowledgement]] = [:]
    /// Acknowledged revisions by app.
    var newest: [String: Int64] = [:]
    /// The content of each revision that was served, by app.
    var served: [String: [Int64: String]] = [:]
    var taps: [String: (sent: Int, acknowledged: Int)] = [:]
    /// Taps of batches that clients counted.
    var reportedTaps: [String: (sent: Int, acknowledged: Int)] = [:]
    var people: [String: String] = [:]
    var webhooks: [String: Consumer] = [:]
    /// Acknowledged entries of the schedule. `due` in milliseconds of the database's clock.
    var scheduled: [(at: Int64, app: String, due: Int64, write: Write)] = []
    var campaigns: [(app: String, version: String, due: Int64, base: Write, revision: Int64)] = []
    var deleted: [Place] = []
    /// The newest revision of each imported app.
    var imported: [String: Int64] = [:]
    /// Acknowledged requests to send a delivery again. `at` in milliseconds of the database's clock.
    var resends: [(delivery: String, at: Int64)] = []
    var ordered: Set<String> = []

    func isOrdered(_ consumer: Consumer) -> Bool { ordered.contains(consumer.host) }

    func write(_ kind: Write.Kind, _ place: Place) -> Write {
        let write = Write(writes.count + 1, kind, place)
        writes.append(write)
        return write
    }

    func write(marked marker: String) -> Write? {
        guard marker.hasPrefix("w"), let number = Int(marker.dropFirst()), (1...writes.count).contains(number) else { return nil }
        return writes[number - 1]
    }

    func acknowledge(_ write: Write, _ revision: Int64, by exchange: Exchange) {
        (write.acknowledgedAt, write.revision, write.node) = (exchange.endedAt, revision, exchange.node)
        note(revision, at: write.place, by: exchange)
    }

    func note(_ revision: Int64, at place: Place, by exchange: Exchange) {
        acknowledged[place, default: []].append(
            Acknowledgement(at: exchange.endedAt, node: exchange.node, process: exchange.process, revision: revision))
        newest[place.app] = max(newest[place.app] ?? 0, revision)
    }

    /// The newest acknowledged revision of each place before a time.
    func acknowledged(before time: Int64) -> [Place: Int64] {
        acknowledged.mapValues { $0.filter { $0.at < time }.map(\.revision).max() ?? 0 }
    }

    /// The revision that a fetch must not be older than.
    /// - Parameters:
    ///   - bound: how long an acknowledged revision may be missing.
    ///   - isOwn: whether the fetch must find the revision at once.
    func expected(at place: Place, startedAt: Int64, bound: Int64?, isOwn: (Acknowledgement) -> Bool = { _ in false }) -> Int64 {
        let due = (acknowledged[place] ?? []).filter { known in
            bound.map { known.at + $0 <= startedAt } ?? false || known.at <= startedAt && isOwn(known)
        }
        return due.map(\.revision).max() ?? 0
    }
}
