import Glibc
import Platform
import QuickActions
import Synchronization

/// The addresses of a host name, or a sentence that explains why there are none.
package enum LookupResult: Hashable, Sendable {
    case addresses([IPAddress])
    case failed(String)
}

/// Looks names up with getaddrinfo(3), which blocks and cannot be cancelled, on a bounded pool of threads. Names whose last look-up failed
/// or took longer than a second (suspects) get at most half of the threads, so that they do not delay the others.
final class NameResolver: Sendable {
    private struct State {
        var waiting: [String] = []
        var waitingSuspects: [String] = []
        var running = 0
        var runningSuspects = 0
        var suspects: Set<String> = []
    }

    private static let slow = Duration.seconds(1)
    private static let maxSuspects = 4096

    private let threads: Int
    private let lookUp: @Sendable (String) -> LookupResult
    private let answer: @Sendable (String, LookupResult) -> Void
    private let state = Mutex(State())

    init(
        threads: Int, lookUp: @escaping @Sendable (String) -> LookupResult,
        answer: @escaping @Sendable (String, LookupResult) -> Void
    ) {
        self.threads = max(threads, 2)
        self.lookUp = lookUp
        self.answer = answer
    }

    /// Queues a look-up. `answer` is called on a resolver thread. Until then, the caller must not request the same name again.
    func look(up name: String) {
        let next = state.withLock { state in
            if state.suspects.contains(name) { state.waitingSuspects.append(name) } else { state.waiting.append(name) }
            return take(from: &state)
        }
        guard let next else { return }
        NamedThread.start("lp-resolver", isBackground: true) { self.work(from: next) }
    }

    private typealias Job = (name: String, isSuspect: Bool)

    private func work(from first: Job) {
        var job: Job? = first
        while let current = job {
            let started = ContinuousClock.now
            let result = lookUp(current.name)
            let isSuspect = ContinuousClock.now - started > Self.slow || result.hasFailed
            job = state.withLock { state in
                state.running -= 1
                if current.isSuspect { state.runningSuspects -= 1 }
                if !isSuspect {
                    state.suspects.remove(current.name)
                } else if state.suspects.count < Self.maxSuspects {
                    state.suspects.insert(current.name)
                }
                return take(from: &state)
            }
            answer(current.name, result)
        }
    }

    /// The next look-up, if a thread is free for it.
    private func take(from state: inout State) -> Job? {
        guard state.running < threads else { return nil }
        let isSuspect = state.waiting.isEmpty
        if isSuspect {
            guard !state.waitingSuspects.isEmpty, state.runningSuspects < threads / 2 else { return nil }
            state.runningSuspects += 1
        }
        state.running += 1
        return (isSuspect ? state.waitingSuspects.removeFirst() : state.waiting.removeFirst(), isSuspect)
    }
}

extension LookupResult {
    fileprivate var hasFailed: Bool {
        if case .failed = self { true } else { false }
    }

    /// Looks a name up with the system's configuration: `/etc/hosts`, DNS.
    package static func system(_ name: String) -> LookupResult {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(name, nil, &hints, &list)
        guard code == 0 else { return .failed(sentence(code)) }
        defer { freeaddrinfo(list) }
        var addresses: [IPAddress] = []
        var entry = list
        while let current = entry {
            if let raw = current.pointee.ai_addr, let address = IPAddress(socketAddress: raw), !addresses.contains(address) {
                addresses.append(address)
            }
            entry = current.pointee.ai_next
        }
        return addresses.isEmpty ? .failed("The host name has no address.") : .addresses(addresses)
    }

    private static func sentence(_ code: Int32) -> String {
        switch code {
        case EAI_NONAME: "The host name does not exist."
        case EAI_AGAIN: "The name server did not answer."
        default: "The host name could not be looked up: \(String(cString: gai_strerror(code)))."
        }
    }
}

/// The requests that wait for a name look-up, and the answers of the last 50 ms. A name has at most one look-up in flight.
struct NameTable {
    /// Long enough to save a look-up per request under load. Too short for an attacker to change the name between check and use.
    private static let freshness = Duration.milliseconds(50)
    private static let maxAnswers = 1024

    /// The time limit from the start of an attempt to the answer.
    let timeout: Duration
    private var waiting: [String: [SignedRequest]] = [:]
    private var answers: [String: (addresses: [IPAddress], until: ContinuousClock.Instant)] = [:]

    init(timeout: Duration) {
        self.timeout = timeout
    }

    func fresh(_ name: String, at now: ContinuousClock.Instant) -> [IPAddress]? {
        answers[name].flatMap { $0.until > now ? $0.addresses : nil }
    }

    /// - Returns: whether the caller must start a look-up; false while one is in flight.
    mutating func wait(_ request: SignedRequest, for name: String) -> Bool {
        guard waiting[name] == nil else {
            waiting[name]?.append(request)
            return false
        }
        waiting[name] = [request]
        return true
    }

    /// - Returns: the requests that wait for the name and have not expired.
    mutating func answered(_ name: String, _ result: LookupResult, at now: ContinuousClock.Instant) -> [SignedRequest] {
        if answers.count >= Self.maxAnswers { answers = answers.filter { $0.value.until > now } }
        if case .addresses(let addresses) = result, answers.count < Self.maxAnswers {
            answers[name] = (addresses, now + Self.freshness)
        }
        return waiting.removeValue(forKey: name) ?? []
    }

    /// Removes the requests whose look-up has timed out. The look-up itself stays in flight.
    mutating func takeExpired(at now: ContinuousClock.Instant) -> [SignedRequest] {
        var expired: [SignedRequest] = []
        for (name, requests) in waiting where requests.contains(where: { $0.started + timeout <= now }) {
            expired += requests.filter { $0.started + timeout <= now }
            waiting[name] = requests.filter { $0.started + timeout > now }
        }
        return expired
    }

    var nextExpiry: ContinuousClock.Instant? {
        waiting.values.joined().map(\.started).min().map { $0 + timeout }
    }
}

extension IPAddress {
    /// From a `sockaddr_in` or `sockaddr_in6`.
    init?(socketAddress: UnsafeRawPointer) {
        switch Int32(socketAddress.loadUnaligned(as: sockaddr.self).sa_family) {
        case AF_INET:
            let address = socketAddress.loadUnaligned(as: sockaddr_in.self).sin_addr
            self.init(bytes: withUnsafeBytes(of: address) { Array($0) })
        case AF_INET6:
            let address = socketAddress.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            self.init(bytes: withUnsafeBytes(of: address) { Array($0) })
        default: return nil
        }
    }
}
