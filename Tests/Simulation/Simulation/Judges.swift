import HTTP
import QuickActions
import SimulationKernel

/// What must hold after each answer.
extension World {
    /// Within the bounds of docs/cluster.md: a fetch waits for the store at most two seconds, or five for a menu that is not in memory; a
    /// write ends within 8 s, or 15 s if the answer to its COMMIT is lost.
    func judge(_ exchange: Exchange, isWrite: Bool) {
        let time = exchange.endedAt - exchange.startedAt
        // With several cuts in one request, each of its reads and its write waits for its own deadline.
        let several = server.faults.cutOneIn > 0 ? 15 * second : 0
        let limit = (isWrite ? 17 * second : 8 * second) + several
        if time > limit, exchange.node.troubledUntil < exchange.startedAt, !exchange.node.isFrozen {
            fail("bounded waits", "a \(isWrite ? "write" : "fetch") on \(exchange.node.name) took \(time / millisecond) ms")
        }
        if exchange.status == 500 { fail("no internal errors", "\(exchange.node.name) answered 500: \(exchange.text)") }
        let isWell = isWell(exchange.node, since: exchange.startedAt)
        if exchange.status == 503, isWell, server.faults.cutOneIn == 0 {
            fail("availability", "\(exchange.node.name) answered 503 without a reason: \(exchange.text)")
        }
    }

    /// A fetch after an acknowledgement is not older: on its node at once, elsewhere within two seconds, with
    /// `?revision=` anywhere at once.
    func judge(_ exchange: Exchange, of place: Place, atLeast: Bool) {
        let bound = isWell(exchange.node, since: exchange.startedAt - 2 * second) ? 2 * second + 50 * millisecond : nil
        var expected = book.expected(at: place, of: exchange.node, exchange.process, startedAt: exchange.startedAt, bound: bound)
        if atLeast { expected = max(expected, book.expected(at: place, of: exchange.node, 0, startedAt: exchange.startedAt, bound: 0)) }
        switch exchange.status {
        case 200:
            guard let revision = exchange.json?.integer("revision") else { fail("answers", "a menu has no revision: \(exchange.text)") }
            if revision < expected {
                let asked = "\(place.app) \(place.audience)\(atLeast ? " with ?revision" : "")"
                fail("fresh answers", "\(exchange.node.name) answered revision \(revision) of \(asked), after \(expected) was acknowledged")
            }
            guard case .array(let items)? = exchange.json?["items"], let first = items.first, let title = first.string("localizedTitle"),
                let write = book.write(marked: title)
            else { fail("answers", "a menu has content that nobody published: \(exchange.text)") }
            if let known = write.revision, known != revision, write.kind == .publish {
                fail("answers", "\(write.marker) was acknowledged as \(known) and is served as \(revision)")
            }
        case 404:
            if expected > 0 {
                fail("fresh answers", "\(exchange.node.name) has no menu for \(place.app), after \(expected) was acknowledged")
            }
        case 503: break
        default: fail("answers", "a fetch is \(exchange.status): \(exchange.text)")
        }
    }

    /// Called with each request to a consumer, and again with its end.
    func judge(_ request: ReceivedRequest, at consumer: Consumer, isNew: Bool, _ record: DeliveryRecord) {
        guard isNew else { return record.ended(request) }
        if let problem = record.began(request, in: self) { fail("deliveries", "\(consumer.host): \(problem)") }
    }
}

/// What one consumer received, by event.
final class DeliveryRecord {
    struct Entry {
        let body: [UInt8]
        let type: String
        let app: String
        let revision: Int64
        var isDelivered = false
    }

    let isOrdered: Bool
    private(set) var entries: [String: Entry] = [:]
    private(set) var order: [String] = []
    private var open: [String: Int] = [:]
    private(set) var repeated = 0

    init(isOrdered: Bool) { self.isOrdered = isOrdered }

    func began(_ request: ReceivedRequest, in world: World) -> String? {
        let now = (Kernel.epoch + request.at) / second
        if let sent = request.fields["webhook-timestamp"].flatMap(Int64.init), abs(sent - now) > 30, world.isCalm {
            return "webhook-timestamp is \(sent - now) s from the database's clock"
        }
        guard let json = try? JSON(document: request.body), let type = json.string("type"), let data = json["data"] else {
            return "a body is not an event: \(String(decoding: request.body, as: UTF8.self))"
        }
        if let known = entries[request.id] {
            if known.body != request.body { return "\(request.id) came with two bodies" }
            if known.isDelivered {
                repeated += 1
                if world.isCalm { return "\(request.id) (\(known.type) \(known.revision)) came again after it was accepted" }
            }
        } else {
            entries[request.id] = Entry(
                body: request.body, type: type, app: data.string("app") ?? "", revision: data.integer("revision") ?? 0)
            order.append(request.id)
        }
        if isOrdered {
            if let other = open.keys.first(where: { $0 != request.id }), world.isCalm {
                return "\(request.id) began while \(other) was under way at an ordered endpoint"
            }
            let earlier = order.prefix { $0 != request.id }
            if entries[request.id]?.isDelivered == false, let waiting = earlier.first(where: { entries[$0]?.isDelivered == false }) {
                return "\(request.id) overtook \(waiting) at an ordered endpoint"
            }
        }
        open[request.id, default: 0] += 1
        if open.values.reduce(0, +) > 8, world.isCalm { return "more than eight attempts at once" }
        return nil
    }

    func ended(_ request: ReceivedRequest) {
        if let count = open[request.id] { open[request.id] = count > 1 ? count - 1 : nil }
        if case .status(200..<300, _)? = request.answer { entries[request.id]?.isDelivered = true }
    }
}

/// What must hold at the end, when everything is well again.
extension World {
    /// No process was killed or frozen, and no connection was cut, so far.
    var isCalm: Bool {
        counts.kills + counts.freezes + counts.separations + counts.failovers + server.counts.cuts == 0 && !hasTroubledDatabase
    }

    func judgeEnd(_ records: [DeliveryRecord]) {
        for app in book.apps { judgeRevisions(of: app, records) }
    }

    private func revisions(of app: String) -> [JSON] {
        var (found, cursor) = ([JSON](), "")
        while true {
            let page = insist("GET", "/admin/v1/apps/\(app)/revisions?limit=200" + (cursor.isEmpty ? "" : "&cursor=\(cursor)"))
            found += page.list("items")
            guard let next = page.string("next") else { return found.reversed() }
            cursor = next
        }
    }

    private func judgeRevisions(of app: String, _ records: [DeliveryRecord]) {
        let revisions = revisions(of: app)
        var markers: [String: Int64] = [:]
        for (index, revision) in revisions.enumerated() {
            guard let number = revision.integer("revision"), number == Int64(index + 1) else {
                fail("gapless revisions", "\(app) has revision \(revision.integer("revision") ?? -1) at place \(index + 1)")
            }
            guard revision.string("kind") == "published" || revision["set"] != nil else { continue }
            let document = insist("GET", "/admin/v1/apps/\(app)/revisions/\(number)")
            guard let marker = document["set"]?.list("items").first?["title"]?.string("en") else { continue }
            guard let write = book.write(marked: marker) else {
                fail("writes", "revision \(number) of \(app) has content that nobody published: \(marker)")
            }
            if let earlier = markers[marker], write.kind != .imported {
                fail("once", "\(marker) is revision \(earlier) and \(number) of \(app)")
            }
            markers[marker] = number
            if let known = write.revision, known != number { fail("writes", "\(marker) was acknowledged as \(known) and is \(number)") }
            if let refusal = write.refusal { fail("refusals", "\(marker) was refused with \(refusal) and is revision \(number) of \(app)") }
        }
        for write in book.writes where write.place.app == app && write.kind == .publish {
            if let revision = write.revision, markers[write.marker] == nil {
                fail("acknowledged writes", "\(write.marker) was acknowledged as revision \(revision) of \(app) and is gone")
            }
        }
        for record in records {
            var told: [Int64: String] = [:]
            var last: Int64 = 0
            for id in record.order {
                guard let entry = record.entries[id], entry.app == app, entry.revision > 0,
                    entry.type == "shortcuts.published" || entry.type == "shortcuts.deleted"
                else { continue }
                if let other = told[entry.revision] {
                    fail("events", "revision \(entry.revision) of \(app) has the events \(other) and \(id)")
                }
                told[entry.revision] = id
                if record.isOrdered, entry.revision < last { fail("order", "revision \(entry.revision) of \(app) came after \(last)") }
                last = entry.revision
                if !entry.isDelivered { fail("deliveries", "revision \(entry.revision) of \(app) was never accepted") }
            }
            for number in 1...Int64(max(revisions.count, 1)) where told[number] == nil && !revisions.isEmpty {
                fail("deliveries", "revision \(number) of \(app) was never delivered")
            }
        }
    }
}
