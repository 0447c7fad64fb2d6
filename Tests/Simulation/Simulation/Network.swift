import CSimulation
import Glibc
import SimulationKernel

// The functions of libcurl's multi interface that the product calls. A request takes its way to a consumer of the world.

/// One request that a consumer received.
struct ReceivedRequest {
    let at: Int64
    /// The process that sent it.
    let process: Int
    let id: String
    let fields: [String: String]
    let body: [UInt8]
    /// Whether its sender has ended the attempt or has died.
    let isGone: () -> Bool
    var endedAt: Int64?
    var answer: ConsumerAnswer?
}

enum ConsumerAnswer: Equatable {
    /// With `Retry-After` in seconds.
    case status(Int, retryAfter: Int?)
    case refusesConnection
    case closes
    /// Answers nothing until the sender gives up.
    case hangs
}

final class Network {
    var consumers: [String: Consumer] = [:]
    var random: SeededRandom
    var attempts = 0
    var latency: ClosedRange<Int64> = 200_000...3_000_000
    /// One in so many look-ups takes seconds or fails; 0 for none.
    var slowLookupOneIn = 0
    /// Processes that were killed: what they had sent still arrives, or does not.
    var dead: Set<Int> = []

    init(seed: UInt64) { random = SeededRandom(seed) }

    nonisolated(unsafe) static var current = Network(seed: 0)
}

private final class Multi {
    let arrival = WaitQueue()
    var isWoken = false
    var transfers: [UnsafeMutableRawPointer: TransferState] = [:]
    var finished: [TransferState] = []
    var messages: [(UnsafeMutableRawPointer, Int32)] = []
}

private final class TransferState {
    let easy: UnsafeMutablePointer<sim_easy>
    let multi: Multi
    let process = Kernel.process
    var code: Int32 = 0
    var answer: ConsumerAnswer?
    var isOver = false

    init(_ easy: UnsafeMutablePointer<sim_easy>, _ multi: Multi) { (self.easy, self.multi) = (easy, multi) }

    func finish(_ code: Int32, _ answer: ConsumerAnswer? = nil) {
        guard !isOver else { return }
        (isOver, self.code, self.answer) = (true, code, answer)
        multi.finished.append(self)
        Kernel.wakeAll(multi.arrival)
    }
}

private func multi(_ pointer: UnsafeMutableRawPointer) -> Multi { Unmanaged<Multi>.fromOpaque(pointer).takeUnretainedValue() }

@_cdecl("simulated_lookup")
func simulatedLookup(_ name: UnsafePointer<CChar>) -> Int32 {
    let network = Network.current
    Kernel.sleep(network.random.range(network.latency))
    if network.slowLookupOneIn > 0, network.random.oneIn(network.slowLookupOneIn) {
        Kernel.sleep(network.random.range(100_000_000...7_000_000_000))
        if network.random.oneIn(2) { return EAI_AGAIN }
    }
    let text = String(cString: name)
    return network.consumers[text] == nil ? EAI_NONAME : 1 + Int32(text.utf8.reduce(0) { $0 + Int($1) } % 250)
}

@_cdecl("curl_multi_init")
func curl_multi_init() -> UnsafeMutableRawPointer? { Unmanaged.passRetained(Multi()).toOpaque() }

@_cdecl("curl_multi_cleanup")
func curl_multi_cleanup(_ pointer: UnsafeMutableRawPointer) -> Int32 {
    Unmanaged<Multi>.fromOpaque(pointer).release()
    return 0
}

@_cdecl("curl_multi_wakeup")
func curl_multi_wakeup(_ pointer: UnsafeMutableRawPointer) -> Int32 {
    multi(pointer).isWoken = true
    Kernel.wakeAll(multi(pointer).arrival)
    return 0
}

@_cdecl("curl_multi_poll")
func curl_multi_poll(
    _ pointer: UnsafeMutableRawPointer, _ extra: UnsafeMutableRawPointer?, _ count: UInt32, _ milliseconds: Int32,
    _ ready: UnsafeMutablePointer<Int32>?
) -> Int32 {
    let multi = multi(pointer)
    Kernel.point("transfers")
    let end = Kernel.now + Int64(milliseconds) * 1_000_000
    while !multi.isWoken, multi.finished.isEmpty, Kernel.now < end { Kernel.wait(in: multi.arrival, until: end, "transfers") }
    multi.isWoken = false
    return 0
}

@_cdecl("curl_multi_perform")
func curl_multi_perform(_ pointer: UnsafeMutableRawPointer, _ running: UnsafeMutablePointer<Int32>?) -> Int32 {
    let multi = multi(pointer)
    let finished = multi.finished
    multi.finished = []
    for transfer in finished {
        guard multi.transfers[transfer.easy] === transfer else { continue }
        if case .status(let status, let retryAfter) = transfer.answer {
            transfer.easy.pointee.status = status
            var lines = ["HTTP/1.1 \(status) Simulated\r\n"]
            if let retryAfter { lines.append("Retry-After: \(retryAfter)\r\n") }
            for line in lines + ["\r\n"] {
                var bytes = line.utf8CString
                _ = bytes.withUnsafeMutableBufferPointer { buffer in
                    transfer.easy.pointee.header?(buffer.baseAddress, 1, buffer.count - 1, transfer.easy.pointee.header_data)
                }
            }
        }
        multi.messages.append((UnsafeMutableRawPointer(transfer.easy), transfer.code))
    }
    running?.pointee = Int32(multi.transfers.count)
    return 0
}

@_cdecl("curl_multi_info_read")
func curl_multi_info_read(_ pointer: UnsafeMutableRawPointer, _ left: UnsafeMutablePointer<Int32>?) -> UnsafeMutableRawPointer? {
    let multi = multi(pointer)
    guard !multi.messages.isEmpty else { return nil }
    let (easy, code) = multi.messages.removeFirst()
    left?.pointee = Int32(multi.messages.count)
    return sim_message(easy.assumingMemoryBound(to: sim_easy.self), code)
}

@_cdecl("curl_multi_remove_handle")
func curl_multi_remove_handle(_ pointer: UnsafeMutableRawPointer, _ easy: UnsafeMutableRawPointer?) -> Int32 {
    if let easy, let transfer = multi(pointer).transfers.removeValue(forKey: easy) { transfer.isOver = true }
    return 0
}

@_cdecl("curl_multi_add_handle")
func curl_multi_add_handle(_ pointer: UnsafeMutableRawPointer, _ handle: UnsafeMutableRawPointer) -> Int32 {
    let multi = multi(pointer)
    let easy = handle.assumingMemoryBound(to: sim_easy.self)
    let transfer = TransferState(easy, multi)
    multi.transfers[handle] = transfer
    let network = Network.current
    network.attempts += 1
    let url = String(cString: easy.pointee.url)
    let host = url.split(separator: "/").dropFirst().first.map { String($0.prefix { $0 != ":" }) } ?? ""
    var fields: [String: String] = [:]
    var number: Int32 = 0
    while let line = sim_header(easy, number) {
        let parts = String(cString: line).split(separator: ":", maxSplits: 1)
        if parts.count == 2 { fields[parts[0].lowercased()] = String(parts[1].drop { $0 == " " }) }
        number += 1
    }
    let body = [UInt8](UnsafeBufferPointer(start: easy.pointee.body, count: easy.pointee.body_count))
    let limit = Kernel.now + Int64(easy.pointee.timeout) * 1_000_000
    let process = transfer.process
    Kernel.spawn("transfer", process: 0) {
        Kernel.sleep(network.random.range(network.latency))
        // Sent by a process that died since: it may have arrived before.
        if network.dead.contains(process), network.random.oneIn(2) { return }
        guard let consumer = network.consumers[host] else { return transfer.finish(7) }
        let answer = consumer.receive(
            ReceivedRequest(
                at: Kernel.now, process: process, id: fields["webhook-id"] ?? "", fields: fields, body: body,
                isGone: { transfer.isOver || network.dead.contains(process) }),
            until: limit)
        switch answer {
        case .status:
            Kernel.sleep(network.random.range(network.latency))
            if Kernel.now >= limit { transfer.finish(28) } else { transfer.finish(0, answer) }
        case .refusesConnection: transfer.finish(7)
        case .closes: transfer.finish(52)
        case .hangs:
            Kernel.sleep(max(0, limit - Kernel.now))
            transfer.finish(28)
        }
    }
    return 0
}

/// A consumer of webhooks. The world sets how it behaves, and judges what it received.
final class Consumer {
    let host: String
    /// How it answers from now on; a mixture if there are several.
    var manners: [ConsumerAnswer] = [.status(200, retryAfter: nil)]
    var delay: ClosedRange<Int64> = 1_000_000...20_000_000
    /// When an operator's request to disable the endpoint was acknowledged, or a process was told that it is gone; nil while it is enabled.
    var disabled: (at: Int64, by: Int?)?
    /// Whether an operator changes the endpoint.
    var hasOperator = false
    /// The secrets that were acknowledged, and when.
    var secrets: [(secret: String, at: Int64)] = []
    /// Whether somebody asked for a new secret.
    var isRotated = false
    /// The events that somebody asked to send again.
    var resent: Set<String> = []
    private(set) var received: [ReceivedRequest] = []
    private(set) var inFlight: [String: Int] = [:]
    private(set) var mostInFlight = 0
    /// Called with each complete request, and again with its end.
    var check: (ReceivedRequest, _ isNew: Bool) -> Void = { _, _ in }
    private var open = 0

    init(_ host: String) { self.host = host }

    func receive(_ request: ReceivedRequest, until limit: Int64) -> ConsumerAnswer {
        let answer = Network.current.random.pick(manners)
        if answer == .refusesConnection { return answer }
        var request = request
        let index = received.count
        request.answer = answer
        received.append(request)
        open += 1
        mostInFlight = max(mostInFlight, open)
        Kernel.note("\(host) receives \(request.id) from \(request.process) and \(answer)")
        check(request, true)
        if answer == .hangs {
            while Kernel.now < limit, !request.isGone() { Kernel.sleep(min(500_000_000, max(1, limit - Kernel.now))) }
        } else {
            Kernel.sleep(min(Network.current.random.range(delay), max(1, limit - Kernel.now)))
        }
        received[index].endedAt = Kernel.now
        open -= 1
        // The sender disables an endpoint that is gone.
        if case .status(410, _) = answer, !request.isGone() { disabled = disabled ?? (Kernel.now, by: request.process) }
        check(received[index], false)
        return answer
    }

    func forget() { received = [] }
}
