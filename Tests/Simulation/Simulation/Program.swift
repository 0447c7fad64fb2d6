import CKernel
import Glibc
import SimulationKernel

/// The command line: `simulation run SEED … [nodes=N] [steps=N] [order=N] [skip=1,2] [trace=FILE]`, or `simulation plan SEED` for the steps.
@main struct Program {
    static func main() {
        setvbuf(stdout, nil, _IOLBF, 0)
        kernel_make_repeatable(CommandLine.unsafeArgv)
        exit(Program(Array(CommandLine.arguments.dropFirst())).run())
    }

    private let command: String
    private var options: [String: String] = [:]
    private var numbers: [UInt64] = []

    init(_ arguments: [String]) {
        command = arguments.first ?? "run"
        for argument in arguments.dropFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2 { options[parts[0]] = parts[1] } else if let number = UInt64(argument) { numbers.append(number) }
        }
    }

    /// Runs the seeds one after another, each in its own process, until one fails.
    func run() -> Int32 {
        guard numbers.count > 1, command == "run" else { return run(numbers.first ?? 1) }
        for seed in numbers {
            var task = (program: self, seed)
            let status = withUnsafeMutablePointer(to: &task) { task in
                kernel_run_in_child(
                    { task in
                        guard let task = task?.assumingMemoryBound(to: (program: Program, UInt64).self).pointee else { return }
                        exit(task.program.run(task.1))
                    }, task)
            }
            guard status == 0 else {
                print("seed \(seed) ended with \(status)")
                return 1
            }
        }
        return 0
    }

    private func run(_ seed: UInt64) -> Int32 {
        var settings = Settings(seed: seed, nodes: options["nodes"].flatMap(Int.init))
        settings.isTracing = options["trace"] != nil
        settings.order = options["order"].flatMap(UInt64.init) ?? 0
        settings.skipped = Set((options["skip"] ?? "").split(separator: ",").compactMap { Int($0) })
        if let steps = options["steps"].flatMap(Int.init) { (settings.end, settings.quiet) = (steps + 1, 0) }
        if let limit = options["limit"].flatMap(Int.init) { settings.limit = limit }
        settings.keepsDatabase = options["keep"] != nil
        if command == "plan" {
            for step in Step.plan(settings) where step.number < settings.end {
                print("\(step.number) \(step.kind.rawValue) at \(step.at / millisecond) ms")
            }
            return 0
        }
        let run = Run(settings)
        let verdict = run.execute()
        if let path = options["trace"], let file = fopen(path, "w") {
            for line in Kernel.trace { fputs(line + "\n", file) }
            fclose(file)
        }
        print(run.summary(verdict))
        return verdict == "held" ? 0 : 1
    }
}

/// One simulation from beginning to end.
final class Run {
    private let settings: Settings
    private let folder: String
    private let world: World
    private var records: [DeliveryRecord] = []
    private let startedAt = kernel_machine_seconds()

    init(_ settings: Settings) {
        self.settings = settings
        folder = "/dev/shm/longpress-simulation-\(getpid())"
        mkdir(folder, 0o700)
        Kernel.prepare(
            seed: settings.seed ^ settings.order << 48, settings.picking, interval: settings.interval, settings.pauses,
            isTracing: settings.isTracing,
            limit: settings.limit)
        world = World(settings, folder: folder)
    }

    /// - Returns: `held`, or what a judge or the kernel found.
    func execute() -> String {
        let verdict = Kernel.run { [self] in
            drive()
            Kernel.end("held")
        }
        if settings.keepsDatabase {
            print("The database is in \(folder).")
            return verdict
        }
        for number in 0...64 {
            for suffix in ["", "-wal", "-shm"] { unlink("\(folder)/\(number).db\(suffix)") }
        }
        rmdir(folder)
        return verdict
    }

    func summary(_ verdict: String) -> String {
        let counts = world.counts
        let time = Double(Kernel.now) / 3.6e12
        var text = "seed \(settings.seed): \(Self.rounded(time)) virtual hours, \(settings.nodes) nodes, \(counts.publishes) publishes, "
        text += "\(counts.fetches) fetches (\(counts.hits) from memory), \(world.network.attempts) deliveries, \(counts.kills) kills, "
        text += "\(counts.freezes) freezes, \(counts.separations) separations, \(counts.failovers) failovers, "
        text += "\(world.server.counts.cuts) cuts, \(Kernel.decisions) decisions, trace \(String(Kernel.traceHash, radix: 16))\n"
        return text + verdict
    }

    static func rounded(_ hours: Double) -> String {
        let thousandths = Int(hours * 1000)
        let digits = String(thousandths % 1000)
        return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - digits.count) + digits
    }

    private func drive() {
        let server = world.server
        for node in world.nodes { world.start(node) }
        records = prepare()
        server.faults.cutOneIn = settings.cutOneIn
        server.faults.lostCommitOneIn = settings.lostCommitOneIn
        server.faults.latency = 50_000...settings.latency
        server.faults.lostNotificationOneIn = settings.lostNotificationOneIn
        server.faults.lateNotificationOneIn = settings.lateNotificationOneIn
        world.network.slowLookupOneIn = settings.slowLookupOneIn
        let beginning = Kernel.now
        let done = WaitQueue()
        var running = 0
        for step in Step.plan(settings) where step.number < settings.end && !settings.skipped.contains(step.number) {
            Kernel.sleep(max(0, beginning + step.at - Kernel.now))
            running += 1
            Kernel.spawn("step \(step.number)", process: 0) { [world] in
                var actor = Actor(world, step)
                actor.run()
                running -= 1
                Kernel.wakeAll(done)
            }
        }
        while running > 0 { Kernel.wait(in: done, "steps") }
        quieten()
        world.judgeEnd(records)
    }

    private func prepare() -> [DeliveryRecord] {
        while world.living.isEmpty { Kernel.sleep(100 * millisecond) }
        for number in 1...3 {
            let app = "com.example.a\(number)"
            _ = world.insist("PUT", "/admin/v1/apps/\(app)", body: #"{"defaultLanguage": "en"}"#)
            world.book.apps.append(app)
        }
        _ = world.insist("PUT", "/admin/v1/apps/com.example.applied", body: #"{"defaultLanguage": "en"}"#)
        _ = world.insist("PATCH", "/admin/v1/apps/com.example.a3", body: #"{"approvals": 1}"#)
        world.book.approvals["com.example.a3"] = 1
        for (name, owner, role) in [
            ("ana", "ana", "editor"), ("ben", "ben", "publisher"), ("eva", "eva", "publisher"), ("eva2", "EVA", "publisher"),
        ] {
            let token = world.insist("POST", "/admin/v1/tokens", body: #"{"name": "\#(name)", "owner": "\#(owner)", "role": "\#(role)"}"#)
            world.book.people[name] = token.string("token")
        }
        return (1...4).map { number in
            let host = "c\(number).example.com"
            let consumer = Consumer(host)
            let record = DeliveryRecord(host, isOrdered: number % 2 == 0)
            if number % 2 == 0 { world.book.ordered.insert(host) }
            consumer.check = { [world] request, isNew in world.judge(request, at: consumer, isNew: isNew, record) }
            world.network.consumers[host] = consumer
            let webhook = world.insist(
                "POST", "/admin/v1/webhooks", body: #"{"url": "https://\#(host)/hook", "ordered": \#(number % 2 == 0)}"#)
            if let id = webhook.string("id") { world.book.webhooks[id] = consumer }
            consumer.secrets = [(webhook.string("secret") ?? "", Kernel.now)]
            return record
        }
    }

    /// Everything is well again, and time passes until nothing is left to do.
    private func quieten() {
        world.server.faults.cutOneIn = 0
        world.server.faults.lostCommitOneIn = 0
        world.server.faults.lostNotificationOneIn = 0
        world.server.faults.lateNotificationOneIn = 0
        world.network.slowLookupOneIn = 0
        for consumer in world.network.consumers.values {
            consumer.manners = [.status(200, retryAfter: nil)]
            consumer.delay = 0...10 * millisecond
            consumer.disabled = nil
        }
        for node in world.nodes { world.start(node) }
        enableWebhooks()
        for app in world.book.apps {
            // Also revisions whose acknowledgement was lost.
            let newest = world.insist("GET", "/admin/v1/apps/\(app)/revisions?limit=1").list("items").first?.integer("revision")
            world.book.newest[app] = max(world.book.newest[app] ?? 0, newest ?? 0)
        }
        Kernel.sleep(settings.quiet * second)
        let end = Kernel.now + 600 * second
        while Kernel.now < end, !isQuiet {
            for _ in 0..<30 where !isQuiet { Kernel.sleep(2 * second) }
            // An answer from before the quiet may have disabled one again.
            if !areDelivered { enableWebhooks() }
        }
        // A silent connection delays taps by 8 s and heartbeats by 10 s. After such a gap, a node removes dead nodes only with its first
        // heartbeat after another 15 s: 27 s in all.
        Kernel.sleep(30 * second)
        let last = (world.book.scheduled.map(\.due) + world.book.campaigns.map(\.due)).max() ?? 0
        Kernel.sleep(max(0, last * millisecond - Kernel.epoch + 3 * second - Kernel.now))
    }

    private func enableWebhooks() {
        for id in world.book.webhooks.keys.sorted() {
            _ = world.insist("PATCH", "/admin/v1/webhooks/\(id)", body: #"{"enabled": true, "recover": true}"#)
        }
    }

    private var isQuiet: Bool { world.nodes.allSatisfy { $0.condition == .up } && areDelivered }

    /// Whether every revision and every event that a consumer saw was accepted.
    private var areDelivered: Bool {
        records.allSatisfy { record in
            record.entries.values.allSatisfy(\.isDelivered)
                && world.book.newest.allSatisfy { app, revision in
                    let accepted = record.accepted[app] ?? []
                    return (0..<revision).allSatisfy { accepted.contains($0 + 1) }
                }
        }
    }
}
