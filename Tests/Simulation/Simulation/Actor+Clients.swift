import HTTP
import HTTPServer
import QuickActions
import SimulationKernel

/// Taps, streams, tokens, and operators of webhooks.
extension Actor {
    mutating func tap() {
        guard let node = node() else { return }
        let place = place()
        book.taps[place.app, default: (0, 0)].sent += 1
        let body = #"{"type": "open", "userInfo": {"longpress.item": "m", "longpress.version": "1.0.0"}}"#
        guard let exchange = world.request(node, "POST", "/v1/apps/\(place.app)/versions/1.0/taps", token: nil, body: body) else { return }
        world.judge(exchange, isWrite: false)
        world.counts.taps += 1
        if exchange.status == 200 { book.taps[place.app]?.acknowledged += 1 }
    }

    /// Sends a batch of taps that a client counted, several times: to any node, also after an answer.
    mutating func report() {
        let (place, count) = (place(), 1 + random.below(3))
        book.reportedTaps[place.app, default: (0, 0)].sent += count
        let digits = String(SeededRandom.mix(world.settings.seed ^ UInt64(step.number)) % 1_000_000_000_000)
        let id = "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
        let body = """
            {"batch": "\(id)", "counts": [{"item": "m", "type": "open", "outcome": "current", "count": \(count)}]}
            """
        var isAcknowledged = false
        for _ in 0..<2 + random.below(3) {
            let path = "/v1/apps/\(place.app)/versions/1.0/taps/counts"
            if let node = node(), let exchange = world.request(node, "POST", path, token: nil, body: body) {
                world.judge(exchange, isWrite: true)
                isAcknowledged = isAcknowledged || exchange.status == 202
            }
            if random.oneIn(2) { Kernel.sleep(random.range(0...10 * second)) }
        }
        if isAcknowledged { book.reportedTaps[place.app]?.acknowledged += count }
    }

    /// Follows the changes of both apps for a while, over several connections.
    mutating func follow() {
        let reader = StreamReader(world)
        let apps = book.apps.filter { book.approvals[$0] == nil }
        var last: String?
        for _ in 0..<1 + random.below(3) {
            guard let node = node(), let (connection, process) = world.connect(node) else { continue }
            let query = apps.map { "app=\($0)" }.joined(separator: "&")
            var lines = ["GET /v1/stream?\(query) HTTP/1.1", "Host: 127.0.0.1:8080"]
            if let last { lines.append("Last-Event-ID: \(last)") }
            let answer = connection.request(lines.joined(separator: "\r\n") + "\r\n\r\n", [], until: Kernel.now + 20 * second)
            guard let answer, answer.status == 200 else {
                Kernel.sleep(second)
                continue
            }
            let end = Kernel.now + random.range(second...30 * second)
            reader.open(node, process, isResuming: last != nil)
            while Kernel.now < end {
                guard let bytes = connection.receive(until: end) else { break }
                reader.receive(bytes)
                if random.oneIn(3), let (app, revision) = reader.newest, world.isWell(node, since: Kernel.now - second),
                    node.process == process
                {
                    // A fetch after an event is not older than the event, unless the node lost its database meanwhile.
                    let place = Place(app: app, version: "1.0", audience: "default")
                    if let exchange = world.request(node, "GET", "/v1/apps/\(app)/versions/1.0/shortcuts", token: nil),
                        exchange.status == 200, world.isWell(node, since: exchange.startedAt - second),
                        let known = reader.revisions[place], exchange.json?.integer("revision") ?? 0 < known
                    {
                        world.fail("fresh answers", "\(node.name) sent the event of revision \(revision) of \(app) and then an older menu")
                    }
                }
            }
            reader.close()
            connection.close()
            last = reader.lastID ?? last
            if random.oneIn(2) { Kernel.sleep(random.range(0...5 * second)) }
        }
    }

    /// A token is refused everywhere once its revocation was acknowledged.
    mutating func revoke() {
        guard let created = persist("POST", "/admin/v1/tokens", body: #"{"name": "t\#(step.number)", "role": "publisher"}"#, times: 1),
            created.status == 201, let token = created.json?.string("token"), let id = created.json?.string("id")
        else { return }
        for _ in 0..<2 {
            if let node = node(), let exchange = world.request(node, "GET", "/admin/v1/apps", token: token), exchange.status == 401 {
                world.fail("tokens", "\(node.name) refused a valid token")
            }
        }
        guard let revoked = persist("DELETE", "/admin/v1/tokens/\(id)"), revoked.status == 204 || revoked.status == 404 else { return }
        for _ in 0..<3 {
            guard let node = node(), let exchange = world.request(node, "GET", "/admin/v1/apps", token: token) else { continue }
            if exchange.status != 401, exchange.status < 500 {
                world.fail("tokens", "\(node.name) answered \(exchange.status) to a token after its revocation was acknowledged")
            }
            Kernel.sleep(random.range(0...second))
        }
    }

    /// An operator disables a webhook and enables it again: what was held is then delivered.
    mutating func disable() {
        guard let (id, consumer) = book.webhooks.sorted(by: { $0.key < $1.key }).last, !consumer.hasOperator else { return }
        consumer.hasOperator = true
        defer { consumer.hasOperator = false }
        // Some deliveries may be claimed and not sent yet.
        if random.oneIn(2) {
            consumer.delay = 3 * second...4 * second
            for number in 0..<12 + random.below(24) {
                var other = self
                other.random = SeededRandom(random.next() ^ UInt64(number))
                Kernel.spawn("burst", process: 0) { other.publish() }
            }
            Kernel.sleep(random.range(0...second))
        }
        guard let off = persist("PATCH", "/admin/v1/webhooks/\(id)", body: #"{"enabled": false}"#, times: 1), off.status == 200 else {
            return
        }
        consumer.disabled = (off.endedAt, by: nil)
        Kernel.sleep(random.range(0...10 * second))
        consumer.disabled = nil
        if random.oneIn(2) {
            // What is held stays so for now.
            _ = persist("PATCH", "/admin/v1/webhooks/\(id)", body: #"{"enabled": true}"#)
            for _ in 0..<random.below(4) { publish() }
            Kernel.sleep(random.range(0...5 * second))
            // It may have answered that it is gone.
            consumer.disabled = nil
        }
        _ = persist("PATCH", "/admin/v1/webhooks/\(id)", body: #"{"enabled": true, "recover": true}"#)
    }
}

/// What one follower of the stream received.
final class StreamReader {
    private let world: World
    private(set) var lastID: String?
    private(set) var newest: (String, Int64)?
    /// The newest revision of an event, by place.
    private(set) var revisions: [Place: Int64] = [:]
    private var text = ""
    private var states: [String: Int64] = [:]
    private var node: Node?
    private var process = 0
    /// From when on everything must have arrived.
    private var since: Int64?
    private var openedAt: Int64 = 0

    init(_ world: World) { self.world = world }

    func open(_ node: Node, _ process: Int, isResuming: Bool) {
        (self.node, self.process, text) = (node, process, "")
        openedAt = Kernel.now
        if since == nil { since = Kernel.now }
    }

    func receive(_ bytes: [UInt8]) {
        text += String(decoding: bytes, as: UTF8.self)
        while let range = text.firstRange(of: "\n\n") {
            let event = String(text[..<range.lowerBound])
            text = String(text[range.upperBound...])
            read(event)
        }
    }

    private func read(_ event: String) {
        var fields: [String: String] = [:]
        for line in event.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { fields[String(parts[0])] = String(parts[1].drop { $0 == " " }) }
        }
        guard let name = fields["event"], let data = fields["data"].flatMap({ try? JSON(document: Array($0.utf8)) }) else { return }
        world.counts.events += 1
        if let id = fields["id"] { lastID = id }
        if name == "state" {
            for app in data["apps"]?.members ?? [] { states[app.name.string] = app.value.integer("revision") ?? 0 }
        } else if name == "changed", let app = data.string("app"), let revision = data.integer("revision") {
            newest = (app, revision)
            if let audience = data.string("audience"), data.string("from") == "1.0.0" {
                let place = Place(app: app, version: "1.0", audience: audience)
                if revision <= revisions[place] ?? 0 {
                    world.fail("stream", "revision \(revision) of \(app) came after \(revisions[place] ?? 0)")
                }
                revisions[place] = revision
            }
        }
    }

    /// Everything that was acknowledged two seconds before the end must have been told.
    func close() {
        guard let node, let since, node.process == process, world.isWell(node, since: min(since, openedAt) - 3 * second) else { return }
        let limit = Kernel.now - 2 * second - 100 * millisecond
        guard openedAt < limit else { return }
        for (place, revision) in world.book.acknowledged(before: limit) where place.version == "1.0" {
            guard let state = states[place.app] else { continue }
            if max(revisions[place] ?? 0, state) < revision {
                world.fail("stream", "\(node.name) did not tell revision \(revision) of \(place.app) \(place.audience)")
            }
        }
    }
}
