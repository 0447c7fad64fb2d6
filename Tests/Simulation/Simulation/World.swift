import Glibc
import HTTP
import HTTPServer
import QuickActions
import Service
import Shortcuts
import SimulationKernel

let millisecond: Int64 = 1_000_000
let second: Int64 = 1_000_000_000

/// One node of the cluster: processes that follow one another under one name.
final class Node {
    enum Condition { case down, starting, up, stopping }

    let number: Int
    fileprivate(set) var process = 0
    fileprivate(set) var condition = Condition.down
    fileprivate(set) var isFrozen = false
    /// The last time at which it was cut off, killed or without its database.
    fileprivate(set) var troubledUntil: Int64 = 0
    /// When it was frozen last; 0 if it was frozen shortly before, too.
    fileprivate(set) var frozenFrom: Int64 = 0
    fileprivate(set) var frozenUntil: Int64 = 0
    fileprivate var connections: [ClientConnection] = []

    init(_ number: Int) { self.number = number }

    var name: String { "n\(number)" }
}

/// The answer to a request of a client, with its times.
struct Exchange {
    let node: Node
    let process: Int
    let startedAt: Int64
    let endedAt: Int64
    let answer: ClientAnswer

    var status: Int { answer.status }
    var json: JSON? { try? JSON(document: answer.body) }
}

extension JSON {
    func integer(_ name: Text) -> Int64? { if case .integer(let number)? = self[name] { number } else { nil } }
    func string(_ name: Text) -> String? { if case .string(let text)? = self[name] { text.string } else { nil } }
    func list(_ name: Text) -> [JSON] { if case .array(let list)? = self[name] { list } else { [] } }
}

/// Everything outside of the nodes' processes: the nodes themselves, the database, the consumers, the clients, and what they know.
final class World {
    let settings: Settings
    let server: PostgresServer
    let network: Network
    private(set) var nodes: [Node] = []
    private var processes = 0
    private var retained: [Service] = []
    var random: SeededRandom
    /// When connections were last cut by chance, by process.
    var log: [String] = []
    /// The database answered everything since.
    private(set) var databaseTroubledUntil: Int64 = 0
    var hasTroubledDatabase: Bool { databaseTroubledUntil > 0 }
    var counts = Counts()
    /// Whether a process ended without a signal while it had work in memory.
    private(set) var hasAbandoned = false
    let book: Book

    struct Counts {
        var publishes = 0, fetches = 0, hits = 0, kills = 0, failovers = 0, freezes = 0, separations = 0, requests = 0, taps = 0,
            events = 0, stops = 0
    }

    static let adminToken = "simulated-admin-token-0123456789abcdef"

    init(_ settings: Settings, folder: String) {
        self.settings = settings
        server = PostgresServer(folder: folder, seed: SeededRandom.mix(settings.seed ^ 0x4442))
        network = Network(seed: SeededRandom.mix(settings.seed ^ 0x4E45))
        random = SeededRandom(SeededRandom.mix(settings.seed ^ 0x574F))
        book = Book()
        nodes = (1...settings.nodes).map(Node.init)
        LibPQ.server = server
        Network.current = network
        Kernel.answerPoll { descriptor, events, limit in
            guard let link = Link.open[descriptor] else {
                Kernel.sleep(limit ?? second)
                return 0
            }
            return link.poll(events, within: limit)
        }
        SimulatedLog.receive = { [unowned self] process, line in
            if settings.isTracing { Kernel.note("log of \(process): \(line.dropLast())") }
            if log.count < 2000 { log.append("\(process) \(line.dropLast())") }
        }
    }

    /// Ends the run with what a judge found.
    func fail(_ judge: String, _ message: String) -> Never {
        Kernel.note("violation: \(judge): \(message)")
        Kernel.end("\(judge): \(message)")
    }

    // MARK: Nodes

    func start(_ node: Node) {
        guard case .down = node.condition else { return }
        processes += 1
        let process = processes
        (node.process, node.condition, node.isFrozen) = (process, .starting, false)
        Kernel.note("start of \(node.name) as \(process)")
        if let skew = settings.skew[node.number] { Kernel.setClock(of: process, ahead: skew) }
        Kernel.spawn("main", process: process) { [self] in
            let problem = serve(node)
            Kernel.spawn("end of \(node.name)", process: 0) { [self] in ended(node, process, problem) }
        }
    }

    /// - Returns: why the process ended; nil if a signal ended it.
    private func serve(_ node: Node) -> String? {
        do {
            var configuration = try ServiceConfiguration(
                SettingValues(
                    flags: [:],
                    environment: [
                        "LONGPRESS_DATABASE": "postgres://simulated/longpress", "LONGPRESS_NODE": node.name,
                        "LONGPRESS_ADMIN_TOKEN": Self.adminToken, "LONGPRESS_PUBLIC_URL": "https://menus.example.com",
                        "LONGPRESS_DATABASE_CONNECTIONS": "\(settings.connections)", "LONGPRESS_EVENT_LOOPS": "2",
                        "LONGPRESS_WORKERS": "\(settings.workers)", "LONGPRESS_TOKEN_WRITES": "0",
                        "LONGPRESS_WEBHOOK_SCHEDULE": settings.retries,
                    ]), cores: 2)
            configuration.hasConsole = false
            let service = try Service(configuration)
            retained.append(service)
            try service.run(serving: {
                if node.process == Kernel.process { node.condition = .up }
            })
            return nil
        } catch {
            return "\(error)"
        }
    }

    private func ended(_ node: Node, _ process: Int, _ problem: String?) {
        Kernel.kill(process)
        server.dropConnections(of: process)
        HTTPServer.running[process] = nil
        guard node.process == process else { return }
        Kernel.note("end of \(node.name): \(problem ?? "stopped")")
        if let problem { log.append("\(process) ended: \(problem)") }
        hasAbandoned = hasAbandoned || !(HTTPServer.running[process] == nil)
        node.condition = .down
        node.troubledUntil = Kernel.now
        lose(node)
        if problem != nil {
            Kernel.sleep(second)
            start(node)
        }
    }

    private func lose(_ node: Node) {
        for connection in node.connections { connection.lose() }
        node.connections = []
    }

    func kill(_ node: Node) {
        guard node.condition != .down else { return }
        counts.kills += 1
        Kernel.note("kill of \(node.name)")
        network.dead.insert(node.process)
        Kernel.kill(node.process)
        server.dropConnections(of: node.process)
        HTTPServer.running[node.process] = nil
        server.unreachable.remove(node.process)
        node.condition = .down
        node.isFrozen = false
        node.troubledUntil = Kernel.now
        lose(node)
    }

    func stop(_ node: Node) {
        guard case .up = node.condition, !node.isFrozen else { return }
        counts.stops += 1
        Kernel.note("stop of \(node.name)")
        node.condition = .stopping
        SimulatedSignals.raise(SIGTERM, in: node.process)
    }

    func freeze(_ node: Node, for time: Int64, meanwhile: @escaping () -> Void) {
        guard case .up = node.condition, !node.isFrozen else { return }
        counts.freezes += 1
        Kernel.note("freeze of \(node.name)")
        let process = node.process
        node.isFrozen = true
        node.frozenFrom = node.frozenUntil > 0 && Kernel.now < node.frozenUntil + 10 * second ? 0 : Kernel.now
        Kernel.freeze(process)
        Kernel.spawn("meanwhile", process: 0, meanwhile)
        Kernel.sleep(time)
        guard node.process == process, node.isFrozen else { return }
        Kernel.thaw(process)
        node.isFrozen = false
        node.frozenUntil = Kernel.now
    }

    func separate(_ node: Node, for time: Int64) {
        guard case .up = node.condition else { return }
        counts.separations += 1
        Kernel.note("separation of \(node.name)")
        let process = node.process
        server.separate(process)
        Kernel.sleep(time)
        server.unreachable.remove(process)
        // Connections that were silent stay silent; the deadline of a write ends them, also for writers that joined it later.
        if node.process == process { node.troubledUntil = max(node.troubledUntil, Kernel.now + 9 * second) }
    }

    /// The server's machine loses power, or its standby takes over.
    func crashDatabase(for time: Int64) {
        counts.failovers += 1
        Kernel.note("crash of the database")
        troubleDatabase(for: time, from: server.crash, to: server.restart)
    }

    func freezeDatabase(for time: Int64) {
        Kernel.note("freeze of the database")
        troubleDatabase(for: time, from: server.freeze, to: server.thaw)
    }

    private func troubleDatabase(for time: Int64, from begin: () -> Void, to end: () -> Void) {
        databaseTroubledUntil = .max
        begin()
        Kernel.sleep(time)
        end()
        databaseTroubledUntil = Kernel.now + 8 * second
    }

    func terminateConnections() {
        Kernel.note("termination of all connections")
        server.terminateAll()
        databaseTroubledUntil = max(databaseTroubledUntil, Kernel.now + 3 * second)
    }

    var living: [Node] { nodes.filter { $0.condition == .up && !$0.isFrozen } }

    /// Whether the node had its database and its time since then, so that its bounds hold.
    func isWell(_ node: Node, since time: Int64) -> Bool { hasDatabase(node, since: time) && node.frozenUntil < time }

    /// Whether the process runs and was well since then.
    func isWell(process: Int, since time: Int64) -> Bool { nodes.contains { $0.process == process && isWell($0, since: time) } }

    /// Whether the node could read its database since then, whenever it ran. What it asked before it was frozen may fail afterwards.
    func hasDatabase(_ node: Node, since time: Int64) -> Bool {
        let time = node.frozenUntil < time - 5 * second ? time : min(time, node.frozenFrom - 10 * second)
        return node.condition == .up && !node.isFrozen && node.troubledUntil < time && databaseTroubledUntil < time
            && !server.unreachable.contains(node.process) && server.lastCut[node.process, default: 0] < time - 3 * second
            && server.silentUntil < time
    }

    // MARK: Clients

    /// Sends a request to the node.
    /// - Returns: nil if no answer came: the node is down, was killed meanwhile, or took too long.
    func request(
        _ node: Node, _ method: String, _ target: String, token: String? = adminToken, fields: [String] = [], body: String = "",
        within limit: Int64 = 40 * second
    ) -> Exchange? {
        counts.requests += 1
        let startedAt = Kernel.now
        Kernel.note("\(method) \(target) on \(node.name)")
        Kernel.sleep(random.range(50_000...500_000))
        guard case .up = node.condition, let target_ = connect(node) else { return nil }
        let (connection, process) = target_
        var lines = ["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1:8080"] + fields
        if let token { lines.append("Authorization: Bearer \(token)") }
        if !body.isEmpty { lines += ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"] }
        let answer = connection.request(lines.joined(separator: "\r\n") + "\r\n\r\n", Array(body.utf8), until: Kernel.now + limit)
        node.connections.removeAll { $0 === connection }
        guard let answer else {
            if node.process == process, case .up = node.condition, !node.isFrozen, isWell(node, since: startedAt) {
                fail("bounded waits", "\(method) \(target) on \(node.name) had no answer within \(limit / second) s")
            }
            return nil
        }
        Kernel.sleep(random.range(50_000...500_000))
        Kernel.note("\(answer.status) of \(method) \(target) on \(node.name)")
        return Exchange(node: node, process: process, startedAt: startedAt, endedAt: Kernel.now, answer: answer)
    }

    func connect(_ node: Node) -> (ClientConnection, Int)? {
        guard let connection = HTTPServer.running[node.process]?.connect(from: "10.1.0.\(1 + random.below(200))", to: random.below(8))
        else {
            return nil
        }
        node.connections.append(connection)
        return (connection, node.process)
    }

    /// Repeats a request until it succeeds, on any node. For the preparation and the end.
    func insist(_ method: String, _ target: String, token: String = adminToken, fields: [String] = [], body: String = "") -> JSON {
        for _ in 0..<400 {
            if let node = living.isEmpty ? nil : random.pick(living),
                let exchange = request(node, method, target, token: token, fields: fields, body: body)
            {
                if (200..<300).contains(exchange.status) { return exchange.json ?? .null }
                if exchange.status < 500, exchange.status != 409 {
                    fail("preparation", "\(method) \(target): \(exchange.status) \(String(decoding: exchange.answer.body, as: UTF8.self))")
                }
            }
            Kernel.sleep(500 * millisecond)
        }
        fail("recovery", "\(method) \(target) did not succeed within 200 s of quiet")
    }
}
