import CCrypto
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
        let several = hasCuts ? 30 * second : 0
        // A request may wait for others before it reaches one of few workers.
        let queue = settings.workers <= 4 ? 12 * second : 0
        let limit = (isWrite ? 17 * second : 12 * second) + several + queue
        if time > limit, max(exchange.node.troubledUntil, exchange.node.frozenUntil) < exchange.startedAt, !exchange.node.isFrozen {
            fail("bounded waits", "a \(isWrite ? "write" : "fetch") on \(exchange.node.name) took \(time / millisecond) ms")
        }
        if exchange.status == 500 { fail("no internal errors", "\(exchange.node.name) answered 500: \(exchange.text)") }
        // The transactions of several frozen nodes are ended one after another.
        let isWell = isWell(exchange.node, since: exchange.startedAt) && frozen(since: exchange.startedAt) < 2
        if exchange.status == 503, isWell, !hasCuts {
            fail("availability", "\(exchange.node.name) answered 503 without a reason: \(exchange.text)")
        }
    }

    /// The number of nodes that may hold a lock which others wait for.
    private func frozen(since time: Int64) -> Int { nodes.count { $0.isFrozen || $0.frozenUntil > time - 10 * second } }

    private var hasCuts: Bool { settings.cutOneIn + settings.lostCommitOneIn > 0 }

    /// A fetch after an acknowledgement is not older: on its node at once, elsewhere within two seconds, with
    /// `?revision=` anywhere at once.
    func judge(_ exchange: Exchange, of place: Place, atLeast: Bool) {
        // A node that was frozen asks its database before it answers.
        // All writes of the simulated database wait for a frozen writer, so a heartbeat may take the connection that a publish leaves.
        let mayWait = settings.connections == 2 && frozen(since: exchange.startedAt) > 0
        let isBound = hasDatabase(exchange.node, since: exchange.startedAt - 2 * second) && !mayWait
        let bound = isBound ? 2 * second + 50 * millisecond : nil
        var expected = book.expected(at: place, startedAt: exchange.startedAt, bound: bound) { [self] known in
            // Without its database, a node serves what it last read.
            known.node === exchange.node && known.process == exchange.process && hasDatabase(exchange.node, since: known.at)
        }
        if atLeast { expected = max(expected, book.expected(at: place, startedAt: exchange.startedAt, bound: 0)) }
        switch exchange.status {
        case 200:
            guard let revision = exchange.json?.integer("revision") else { fail("answers", "a menu has no revision: \(exchange.text)") }
            if revision < expected {
                let asked = "\(place.app) \(place.audience)\(atLeast ? " with ?revision" : "")"
                fail("fresh answers", "\(exchange.node.name) answered revision \(revision) of \(asked), after \(expected) was acknowledged")
            }
            guard case .array(let items)? = exchange.json?["items"], let first = items.first, let title = first.string("localizedTitle"),
                let write = book.write(marked: title)
            else { fail("answers", "a menu is not the content of any write: \(exchange.text)") }
            if let known = write.revision, known != revision, write.kind == .publish, write.restores == 0 {
                fail("answers", "\(write.marker) was acknowledged as \(known) and is served as \(revision)")
            }
            if let other = book.served[place.app, default: [:]].updateValue(write.marker, forKey: revision), other != write.marker {
                fail("answers", "revision \(revision) of \(place.app) is served as \(other) and as \(write.marker)")
            }
            judgeAge(exchange, place.app)
        case 404:
            if expected > 0 {
                fail("fresh answers", "\(exchange.node.name) has no menu for \(place.app), after \(expected) was acknowledged")
            }
        case 503: break
        default: fail("answers", "a fetch is \(exchange.status): \(exchange.text)")
        }
    }

    /// No answer is fresh past a scheduled change that was acknowledged two seconds before.
    private func judgeAge(_ exchange: Exchange, _ app: String) {
        guard isWell(exchange.node, since: exchange.startedAt - 2 * second),
            let age = exchange.answer.fields.first("Cache-Control")?.firstMatch(of: /max-age=(\d+)/).flatMap({ Int64($0.output.1) })
        else { return }
        // An answer that is received before the change was rendered before it.
        let received = (Kernel.epoch + exchange.endedAt) / millisecond
        for entry in book.scheduled where entry.app == app && entry.at + 2 * second < exchange.startedAt && !entry.write.isCancelling {
            if received < entry.due, received + age * 1000 > entry.due + 1000 {
                fail(
                    "freshness of caches",
                    "\(exchange.node.name) says max-age=\(age), \(entry.due - received) ms before a scheduled change of \(app)")
            }
        }
    }

    /// How long after a change of an endpoint a request may arrive that was made before it. An attempt begins with the lookup of the host.
    private var timeToTake: Int64 { (settings.nodes == 1 ? 50 : 2100) * millisecond + (settings.slowLookupOneIn > 0 ? 7 * second : 0) }

    /// Called with each request to a consumer, and again with its end.
    func judge(_ request: ReceivedRequest, at consumer: Consumer, isNew: Bool, _ record: DeliveryRecord) {
        guard isNew else { return record.ended(request) }
        if let disabled = consumer.disabled, request.at > disabled.at + timeToTake,
            [request.process, disabled.by].compactMap(\.self).allSatisfy({ isWell(process: $0, since: disabled.at - 3 * second) })
        {
            fail("deliveries", "\(consumer.host): an attempt began after the endpoint was disabled")
        }
        if let problem = unsigned(request, consumer.secrets) { fail("signatures", "\(consumer.host): \(problem)") }
        if let problem = record.began(request, isResent: consumer.resent.contains(request.id), in: self) {
            fail("deliveries", "\(consumer.host): \(problem)")
        }
    }
}

/// What one consumer received, by event.
final class DeliveryRecord {
    struct Entry {
        let body: [UInt8]
        let type: String
        let app: String
        let revision: Int64
        /// The attempt that was accepted.
        var accepted: ReceivedRequest?
        var isDelivered: Bool { accepted != nil }

        /// Each revision has one such event.
        var isOfRevision: Bool { revision > 0 && (type == "shortcuts.published" || type == "shortcuts.deleted") }
    }

    let host: String
    let isOrdered: Bool
    private(set) var entries: [String: Entry] = [:]
    private(set) var order: [String] = []
    /// The accepted revisions, by app.
    private(set) var accepted: [String: Set<Int64>] = [:]
    private var open: [ReceivedRequest] = []
    private(set) var repeated = 0

    init(_ host: String, isOrdered: Bool) { (self.host, self.isOrdered) = (host, isOrdered) }

    func began(_ request: ReceivedRequest, isResent: Bool, in world: World) -> String? {
        let now = (Kernel.epoch + request.at) / second
        if let sent = request.fields["webhook-timestamp"].flatMap(Int64.init), abs(sent - now) > 30, world.isCalm {
            return "webhook-timestamp is \(sent - now) s from the database's clock"
        }
        guard let json = try? JSON(document: request.body), let type = json.string("type"), let data = json["data"] else {
            return "a body is not an event: \(String(decoding: request.body, as: UTF8.self))"
        }
        if let known = entries[request.id] {
            if known.body != request.body { return "\(request.id) came with two bodies" }
            if let accepted = known.accepted {
                repeated += 1
                // Within 10 s the outcome is recorded. Its lease was certainly valid if the process was well for as long as a lease lasts.
                let isRecorded =
                    request.at > accepted.at + 10 * second && world.isWell(process: accepted.process, since: accepted.at - 30 * second)
                if world.isCalm || isRecorded, !isResent {
                    return "\(request.id) (\(known.type) \(known.revision)) came again after it was accepted"
                }
            }
        } else {
            entries[request.id] = Entry(
                body: request.body, type: type, app: data.string("app") ?? "", revision: data.integer("revision") ?? 0)
            order.append(request.id)
        }
        // The lease of an attempt ends early only if its process has trouble.
        open.removeAll { $0.isGone() }
        if let other = open.first(where: { isOrdered || $0.id == request.id }),
            world.isCalm || world.isWell(process: other.process, since: other.at - 30 * second)
        {
            return "\(request.id) began while \(other.id) was under way"
        }
        if isOrdered {
            let earlier = order.prefix { $0 != request.id }
            if entries[request.id]?.isDelivered == false, let waiting = earlier.first(where: { entries[$0]?.isDelivered == false }) {
                return "\(request.id) overtook \(waiting) at an ordered endpoint"
            }
        }
        open.append(request)
        if open.count > 8, world.isCalm { return "more than eight attempts at once" }
        return nil
    }

    func ended(_ request: ReceivedRequest) {
        open.removeAll { $0.id == request.id && $0.at == request.at && $0.process == request.process }
        guard case .status(200..<300, _)? = request.answer else { return }
        if entries[request.id]?.accepted == nil { entries[request.id]?.accepted = request }
        if let entry = entries[request.id], entry.isOfRevision { accepted[entry.app, default: []].insert(entry.revision) }
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
        for place in book.deleted { judgeDeleted(place) }
        judgeImports()
        judgeResends()
        judgeAudit()
        judgeTaps()
        judgeNodes()
    }

    private func judgeImports() {
        for (app, revision) in book.imported.sorted(by: { $0.key < $1.key }) {
            let newest = insist("GET", "/admin/v1/apps/\(app)/revisions?limit=1").list("items").first?.integer("revision")
            // What the schedule does comes after them.
            if newest ?? 0 < revision {
                fail("acknowledged writes", "\(app) was imported with \(revision) revisions and has \(newest ?? 0)")
            }
        }
    }

    /// Two requests before the attempt make one attempt. After `recover`, it is an ordinary one.
    private func judgeResends() {
        for (delivery, at) in book.resends {
            let attempts = insist("GET", "/admin/v1/deliveries/\(delivery)").list("attempts")
            if !attempts.contains(where: { $0.string("at").flatMap(milliseconds(of:)) ?? 0 >= at }) {
                fail("deliveries", "\(delivery) was not sent again, as was acknowledged")
            }
        }
    }

    /// Each revision has one entry in the audit.
    private func judgeAudit() {
        var (entries, cursor) = ([String: Int](), "")
        while true {
            let page = insist("GET", "/admin/v1/audit?limit=200" + (cursor.isEmpty ? "" : "&cursor=\(cursor)"))
            for entry in page.list("items") {
                guard let app = entry.string("app"), let revision = entry.integer("revision"), let action = entry.string("action"),
                    action.hasPrefix("set.")
                else { continue }
                entries["\(app) \(revision)", default: 0] += 1
            }
            guard let next = page.string("next") else { break }
            cursor = next
        }
        for app in book.apps {
            for revision in (0..<(book.newest[app] ?? 0)).map({ $0 + 1 }) {
                let count = entries["\(app) \(revision)"] ?? 0
                if count != 1 { fail("audit", "revision \(revision) of \(app) has \(count) entries") }
            }
        }
    }

    private func judgeDeleted(_ place: Place) {
        if let node = living.first, let exchange = request(node, "GET", place.path), exchange.status == 200 {
            fail("acknowledged writes", "\(place.version) of \(place.app) is there after its deletion was acknowledged")
        }
    }

    /// Taps are in memory for up to three seconds. Without a killed process and a lost database, each counts once. A failover may lose
    /// reported taps that were acknowledged.
    private func judgeTaps() {
        for app in book.apps {
            guard book.taps[app] != nil || book.reportedTaps[app] != nil else { continue }
            let statistics = insist("GET", "/admin/v1/apps/\(app)/taps")
            func total(_ name: Text) -> Int {
                (statistics[name]?.members ?? []).reduce(0) { sum, member in
                    if case .integer(let number) = member.value { sum + Int(number) } else { sum }
                }
            }
            let (taps, reported) = (book.taps[app] ?? (0, 0), book.reportedTaps[app] ?? (0, 0))
            let (count, reportedCount) = (total("resolved"), total("reported"))
            if reportedCount > reported.sent {
                fail("counters", "\(reportedCount) reported taps of \(app) are counted, and \(reported.sent) were sent")
            }
            if counts.failovers == 0, reportedCount < reported.acknowledged {
                fail("counters", "\(reportedCount) reported taps of \(app) are counted, and \(reported.acknowledged) were acknowledged")
            }
            if count > taps.sent { fail("counters", "\(count) taps of \(app) are counted, and \(taps.sent) were sent") }
            // A process that stops while the database is away loses what it could not write.
            let mayLose = counts.kills + counts.failovers > 0 || counts.stops > 0 && !isCalm || hasAbandoned
            if !mayLose, count < taps.acknowledged {
                fail("counters", "\(count) taps of \(app) are counted, and \(taps.acknowledged) were acknowledged")
            }
        }
    }

    /// A dead node leaves the list within 20 s.
    private func judgeNodes() {
        let listed = insist("GET", "/admin/v1/nodes").list("items").compactMap { $0.string("node") }.sorted()
        let expected = nodes.map(\.name).sorted()
        if listed != expected { fail("nodes", "listed are \(listed), and \(expected) live") }
    }

    /// What was scheduled happened once, not before its time, and within a second of it if all was well.
    private func judgeSchedule(of app: String, _ markers: [String: Int64], _ publishedAt: [String: Int64], _ revisions: [JSON]) {
        let isCalm = isCalm && counts.stops == 0
        // A turn of the schedule asks the database several times. Each copy of an app has an entry that is due at the same time, and an
        // entry takes as long as 25 of the slowest messages.
        let lateness = 1200 + (400 + 25 * Int64(book.imported.count)) * settings.latency / millisecond
        for entry in book.scheduled where entry.app == app {
            guard let at = publishedAt[entry.write.marker] else {
                if !entry.write.isCancelling { fail("schedule", "\(entry.write.marker) of \(app) was scheduled and never published") }
                continue
            }
            if at < entry.due { fail("schedule", "\(entry.write.marker) of \(app) was published \(entry.due - at) ms before its time") }
            if isCalm, at > entry.due + lateness {
                fail("schedule", "\(entry.write.marker) of \(app) was published \(at - entry.due) ms late")
            }
            if let cancelledAt = entry.write.cancelledAt, at > (Kernel.epoch + cancelledAt) / millisecond + 100 {
                fail("schedule", "\(entry.write.marker) of \(app) was published after it was cancelled")
            }
        }
        for campaign in book.campaigns where campaign.app == app {
            let later = revisions.filter {
                $0.integer("revision") ?? 0 > campaign.revision && $0.string("version") == campaign.version + ".0"
            }
            guard later.count == 1, let at = later.first?.string("publishedAt").flatMap(milliseconds(of:)) else {
                fail("schedule", "the campaign \(campaign.version) of \(app) ended \(later.count) times")
            }
            if at < campaign.due || isCalm && at > campaign.due + lateness {
                fail("schedule", "the campaign \(campaign.version) of \(app) ended \(at - campaign.due) ms after its time")
            }
        }
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
        var occurrences: [String: Int] = [:]
        var publishedAt: [String: Int64] = [:]
        for (index, revision) in revisions.enumerated() {
            guard let number = revision.integer("revision"), number == Int64(index + 1) else {
                fail("gapless revisions", "\(app) has revision \(revision.integer("revision") ?? -1) at place \(index + 1)")
            }
            guard revision.string("kind") == "published" || revision["set"] != nil else { continue }
            let document = insist("GET", "/admin/v1/apps/\(app)/revisions/\(number)")
            guard let marker = document["set"]?.list("items").first?["title"]?.string("en") else { continue }
            guard let write = book.write(marked: marker) else {
                fail("writes", "revision \(number) of \(app) is not the content of any write: \(marker)")
            }
            if let served = book.served[app]?[number], served != marker {
                fail("answers", "revision \(number) of \(app) is \(marker) and was served as \(served)")
            }
            occurrences[marker, default: 0] += 1
            if let earlier = markers[marker], write.place.app != "com.example.applied", occurrences[marker, default: 0] > 1 + write.restores
            {
                fail("once", "\(marker) is revision \(earlier) and \(number) of \(app)")
            }
            if markers[marker] != nil { continue }
            markers[marker] = number
            publishedAt[marker] = revision.string("publishedAt").flatMap(milliseconds(of:))
            if write.kind == .draft, write.approvers.isEmpty {
                fail("approvals", "\(marker) is revision \(number) of \(app), without an approval by somebody who did not edit it")
            }
            if let known = write.revision, known != number { fail("writes", "\(marker) was acknowledged as \(known) and is \(number)") }
            if let refusal = write.refusal { fail("refusals", "\(marker) was refused with \(refusal) and is revision \(number) of \(app)") }
        }
        for write in book.writes where write.place.app == app && write.kind == .publish {
            if let revision = write.revision, markers[write.marker] == nil {
                fail("acknowledged writes", "\(write.marker) was acknowledged as revision \(revision) of \(app) and is gone")
            }
        }
        judgeSchedule(of: app, markers, publishedAt, revisions)
        for record in records {
            var told: [Int64: String] = [:]
            var last: Int64 = 0
            for id in record.order {
                guard let entry = record.entries[id], entry.app == app, entry.isOfRevision else { continue }
                if let other = told[entry.revision] {
                    fail("events", "revision \(entry.revision) of \(app) has the events \(other) and \(id)")
                }
                told[entry.revision] = id
                if record.isOrdered, entry.revision < last { fail("order", "revision \(entry.revision) of \(app) came after \(last)") }
                last = entry.revision
                if !entry.isDelivered { fail("deliveries", "revision \(entry.revision) of \(app) was never accepted by \(record.host)") }
            }
            for number in 1...Int64(max(revisions.count, 1)) where told[number] == nil && !revisions.isEmpty {
                fail("deliveries", "revision \(number) of \(app) was never delivered to \(record.host)")
            }
        }
    }
}

/// Standard Webhooks, "Signature scheme": `v1,` and the Base64 of HMAC-SHA256 over the id, the timestamp and the body.
private func signature(of request: ReceivedRequest, _ secret: String) -> String {
    let encoded = Array(secret.dropFirst("whsec_".count).utf8)
    var key = [UInt8](repeating: 0, count: encoded.count)
    let count = Int(EVP_DecodeBlock(&key, encoded, Int32(encoded.count))) - encoded.suffix(2).count { $0 == UInt8(ascii: "=") }
    let message = Array("\(request.id).\(request.fields["webhook-timestamp"] ?? "").".utf8) + request.body
    var (code, length) = ([UInt8](repeating: 0, count: 32), UInt32(0))
    HMAC(EVP_sha256(), key, Int32(count), message, message.count, &code, &length)
    var text = [UInt8](repeating: 0, count: 45)
    EVP_EncodeBlock(&text, code, Int32(length))
    return "v1," + String(decoding: text.dropLast(), as: UTF8.self)
}

extension World {
    /// A known secret signs each request, and the newest does so two seconds after it was acknowledged.
    private func unsigned(_ request: ReceivedRequest, _ secrets: [(secret: String, at: Int64)]) -> String? {
        let signatures = (request.fields["webhook-signature"] ?? "").split(separator: " ").map(String.init)
        let valid = secrets.filter { signatures.contains(signature(of: request, $0.secret)) }
        if valid.isEmpty { return "\(request.id) has no valid signature" }
        let expected = secrets.filter { $0.at + timeToTake < request.at }
        if isCalm, let missing = expected.first(where: { !signatures.contains(signature(of: request, $0.secret)) }) {
            return "\(request.id) is not signed with the secret that was acknowledged \((request.at - missing.at) / millisecond) ms before"
        }
        return nil
    }
}
