import Glibc
import HTTP
import HTTPServer
import QuickActions
import SimulationKernel

/// Drafts, approvals, the schedule, restores and deletions. Each step uses another version of the app, so that no other step changes its outcome.
extension Actor {
    private var version: String { "\(100 + step.number).0" }

    private func own(_ app: String) -> Place { Place(app: app, version: version, audience: "default") }

    private mutating func freeApp() -> String { random.pick(book.apps.filter { book.approvals[$0] == nil }) }

    /// Repeats a request that met a fault, on any node.
    mutating func persist(
        _ method: String, _ target: String, token: String = World.adminToken, fields: [String] = [], body: String = "", times: Int = 4
    ) -> Exchange? {
        for _ in 0..<times {
            if let node = node(), let exchange = world.request(node, method, target, token: token, fields: fields, body: body) {
                world.judge(exchange, isWrite: true)
                if exchange.status < 500 { return exchange }
            }
            Kernel.sleep(random.range(100 * millisecond...3 * second))
        }
        return nil
    }

    /// Saves a draft and schedules it, once. Until then, no answer of the app may be fresh past its time.
    mutating func schedule() {
        let place = own(freeApp())
        let write = book.write(.scheduled, place)
        guard let saved = persist("PUT", place.path + "/draft", body: write.document(items: 1)), saved.status < 300 else { return }
        let due = world.server.milliseconds + (random.oneIn(3) ? random.range(70_000...200_000) : random.range(500...30_000))
        guard let node = node() else { return }
        // Sent once: a repetition could schedule what an uncertain first try has scheduled.
        guard let exchange = world.request(node, "POST", place.path + "/publish", body: #"{"at": "\#(text(of: due))"}"#) else { return }
        world.judge(exchange, isWrite: true)
        guard exchange.status == 202, let id = exchange.json?.string("id") else {
            if exchange.status < 500, exchange.status != 422 {
                world.fail("schedule", "scheduling \(place.version) is \(exchange.status): \(exchange.text)")
            }
            return
        }
        write.due = due
        book.scheduled.append((at: exchange.endedAt, app: place.app, due: due, write: write))
        write.acknowledgedAt = exchange.endedAt
        if random.oneIn(4) {
            Kernel.sleep(random.range(0...10 * second))
            write.isCancelling = true
            if let cancelled = persist("DELETE", "/admin/v1/apps/\(place.app)/schedule/\(id)", times: 1), cancelled.status == 204 {
                write.cancelledAt = cancelled.endedAt
            }
            return
        }
        for _ in 0..<random.below(6) {
            let left = (due - world.server.milliseconds) * millisecond
            Kernel.sleep(random.oneIn(3) ? random.range(0...max(0, left)) : random.range(0...8 * second))
            fetch(at: Place(app: place.app, version: "1.0", audience: "default"), from: node, isPlain: true)
        }
    }

    /// Publishes until a time; then the set before it comes back.
    mutating func campaign() {
        let place = own(freeApp())
        let base = book.write(.imported, place)
        guard let first = persist("PUT", place.path, body: base.document(items: 2), times: 1), first.status < 300 else { return }
        let write = book.write(.publish, place)
        let due = world.server.milliseconds + random.range(500...20_000)
        guard let node = node() else { return }
        let target = place.path + "?until=" + text(of: due).replacing(":", with: "%3A")
        base.restores += 1
        guard let exchange = world.request(node, "PUT", target, body: write.document(items: 1)) else { return }
        world.judge(exchange, isWrite: true)
        guard exchange.status == 200, let revision = exchange.json?.integer("revision") else { return }
        book.acknowledge(write, revision, by: exchange)
        book.campaigns.append((app: place.app, version: place.version, due: due, base: base, revision: revision))
    }

    /// A draft of an app that requires an approval: by somebody who did not edit it, of exactly its content.
    mutating func approve() {
        guard let app = book.apps.first(where: { book.approvals[$0] != nil }) else { return }
        let place = own(app)
        var write = book.write(.draft, place)
        let editor = random.pick(["ana", "ben", "eva"])
        guard let token = book.people[editor] else { return }
        write.editors = [editor]
        guard var saved = persist("PUT", place.path + "/draft", token: token, body: write.document(items: 1)), saved.status < 300 else {
            return
        }
        for _ in 0..<2 + random.below(3) {
            switch random.below(6) {
            case 0, 2:
                // Other content needs new approvals. The editors stay.
                let second = random.pick(["ana", "ben", "eva"])
                let next = book.write(.draft, place)
                next.editors = write.editors.union([second])
                guard let again = persist("PUT", place.path + "/draft", token: book.people[second] ?? "", body: next.document(items: 1)),
                    again.status < 300
                else { return }
                (write, saved) = (next, again)
            case 1:
                if let node = node(), let exchange = world.request(node, "PUT", place.path, body: write.document(items: 1)) {
                    world.judge(exchange, isWrite: true)
                    // What an uncertain request has published may be published again.
                    if exchange.status < 300, write.approvers.isEmpty {
                        world.fail("approvals", "PUT published \(place.version) of \(app) without approvals")
                    }
                }
            default:
                let approver = random.pick(["ben", "eva", "eva2"])
                let person = approver == "eva2" ? "eva" : approver
                guard let tag = saved.answer.fields.first("ETag") else { return }
                if !write.editors.contains(person) { write.approvers.insert(person) }
                let answer = persist(
                    "POST", place.path + "/draft/approve", token: book.people[approver] ?? "", fields: ["If-Match: \(tag)"])
                if let answer, answer.status == 200, write.editors.contains(person) {
                    world.fail("approvals", "\(approver) approved a draft that \(person) edited")
                }
            }
            if random.oneIn(2) {
                // An uncertain publish may have consumed the draft, and the next save then begins another one, with other editors.
                guard let answer = persist("POST", place.path + "/publish", token: book.people["ben"] ?? "", times: 1) else { return }
                if answer.status == 200, let revision = answer.json?.integer("revision") {
                    book.note(revision, at: place, by: answer)
                    return
                }
            }
        }
    }

    /// Publishes an earlier revision again.
    mutating func restore() {
        guard let node = node() else { return }
        let place = place()
        guard
            let list = world.request(node, "GET", "/admin/v1/apps/\(place.app)/revisions?version=1.0&audience=\(place.audience)&limit=20"),
            list.status == 200, let items = list.json?.list("items"), !items.isEmpty,
            let number = random.pick(items).integer("revision")
        else { return }
        guard let document = world.request(node, "GET", "/admin/v1/apps/\(place.app)/revisions/\(number)"),
            let marker = document.json?["set"]?.list("items").first?["title"]?.string("en"), let write = book.write(marked: marker)
        else { return }
        write.restores += 1
        guard let exchange = world.request(node, "POST", "/admin/v1/apps/\(place.app)/revisions/\(number)/restore") else { return }
        world.judge(exchange, isWrite: true)
        if exchange.status == 200, let revision = exchange.json?.integer("revision") { book.note(revision, at: place, by: exchange) }
    }

    /// Publishes and deletes.
    mutating func delete() {
        let place = own(freeApp())
        let write = book.write(.imported, place)
        guard let first = persist("PUT", place.path, body: write.document(items: 1), times: 1), first.status < 300 else { return }
        Kernel.sleep(random.range(0...2 * second))
        if let exchange = persist("DELETE", place.path, times: 1), exchange.status == 200 { book.deleted.append(place) }
    }

    /// Replaces the sets of an app that only this kind of step changes.
    mutating func apply() {
        let app = "com.example.applied"
        let write = book.write(.imported, Place(app: app, version: version, audience: "default"))
        let body =
            #"{"apps": {"\#(app)": {"defaultLanguage": "en", "sets": {"1.0": \#(write.document(items: 2)), "\#(version)": \#(write.document(items: 1))}}}}"#
        guard let node = node(), let exchange = world.request(node, "POST", "/admin/v1/apply?dryRun=\(random.oneIn(4))", body: body) else {
            return
        }
        world.judge(exchange, isWrite: true)
    }

    func text(of milliseconds: Int64) -> String {
        var (seconds, parts) = (time_t(milliseconds / 1000), tm())
        gmtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let rest = String(1000 + milliseconds % 1000).dropFirst()
        return
            "\(1900 + parts.tm_year)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)).\(rest)Z"
    }
}

/// The milliseconds of `2026-01-01T00:00:00.000Z`.
func milliseconds(of text: String) -> Int64? {
    let numbers = text.split(whereSeparator: { !$0.isNumber }).compactMap { Int32($0) }
    guard numbers.count >= 6 else { return nil }
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[3], numbers[4], numbers[5])
    return Int64(timegm(&parts)) * 1000 + Int64(numbers.count > 6 ? numbers[6] : 0)
}
