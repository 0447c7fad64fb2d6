/// The deadline of each descriptor's connection, in one array: a scan of 10,000 words takes microseconds. The timer is only changed for an
/// earlier deadline.
struct Deadlines: ~Copyable {
    static let never = UInt64.max
    /// The least time between two scans, in nanoseconds.
    private static let granularity: UInt64 = 100_000_000

    let timer: Timer
    private var times: [UInt64] = []
    private var timerTime = never

    init() throws(SystemError) { timer = try Timer() }

    /// - Parameter time: in nanoseconds of `Clock.monotonic`.
    @inline(__always)
    mutating func set(_ descriptor: Int, to time: UInt64) {
        if descriptor >= times.count {
            times.append(contentsOf: repeatElement(Self.never, count: descriptor &- times.count &+ 1))
        }
        times[descriptor] = time
        if time < timerTime { setTimer(time) }
    }

    mutating func setTimer(_ time: UInt64) {
        timerTime = time
        timer.set(time)
    }

    /// The descriptors whose deadline has passed, each reported once.
    mutating func expired(at now: UInt64) -> [Int] {
        timer.clear()
        var expired: [Int] = []
        var earliest = Self.never
        for descriptor in times.indices {
            let time = times[descriptor]
            if time <= now {
                times[descriptor] = Self.never
                expired.append(descriptor)
            } else if time < earliest {
                earliest = time
            }
        }
        timerTime = Self.never
        if earliest != Self.never { setTimer(max(earliest, now &+ Self.granularity)) }
        return expired
    }
}

/// The configured timeouts in nanoseconds.
struct Timeouts {
    private let head, body, idle, write, stream, linger: UInt64

    init(_ configuration: HTTPServer.Configuration) {
        head = configuration.headerTimeout.nanoseconds
        body = configuration.bodyTimeout.nanoseconds
        idle = configuration.idleTimeout.nanoseconds
        write = configuration.writeTimeout.nanoseconds
        stream = configuration.streamHeartbeat.nanoseconds
        linger = configuration.lingerTimeout.nanoseconds
    }

    @inline(__always)
    func duration(of timeout: Connection.Timeout) -> UInt64 {
        switch timeout {
        case .none: 0
        case .head: head
        case .body: body
        case .idle: idle
        case .write: write
        case .stream: stream
        case .linger: linger
        }
    }
}
