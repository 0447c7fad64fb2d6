/// When each descriptor's connection runs out of time: one word each, in a row, so that looking through ten thousand of them
/// is a matter of microseconds. The alarm is only set where a deadline is nearer than the alarm.
struct Deadlines: ~Copyable {
    static let never = UInt64.max
    /// Two sweeps are at least this far apart, in nanoseconds.
    private static let granularity: UInt64 = 100_000_000

    let alarm: Alarm
    private var times: [UInt64] = []
    private var alarmTime = never

    init() throws(SystemError) { alarm = try Alarm() }

    /// `time` by the monotonic clock, in nanoseconds.
    @inline(__always)
    mutating func set(_ descriptor: Int, to time: UInt64) {
        if descriptor >= times.count {
            times.append(contentsOf: repeatElement(Self.never, count: descriptor &- times.count &+ 1))
        }
        times[descriptor] = time
        if time < alarmTime { setAlarm(time) }
    }

    mutating func setAlarm(_ time: UInt64) {
        alarmTime = time
        alarm.set(time)
    }

    /// The descriptors whose time has run out, each reported once.
    mutating func expired(at now: UInt64) -> [Int] {
        alarm.clear()
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
        alarmTime = Self.never
        if earliest != Self.never { setAlarm(max(earliest, now &+ Self.granularity)) }
        return expired
    }
}

/// The configured times in nanoseconds.
struct Timeouts {
    private let head, body, idle, write, linger: UInt64

    init(_ configuration: HTTPServer.Configuration) {
        head = configuration.headerTimeout.nanoseconds
        body = configuration.bodyTimeout.nanoseconds
        idle = configuration.idleTimeout.nanoseconds
        write = configuration.writeTimeout.nanoseconds
        linger = configuration.lingerTimeout.nanoseconds
    }

    @inline(__always)
    func of(_ wait: Connection.Wait) -> UInt64 {
        switch wait {
        case .nothing: 0
        case .head: head
        case .body: body
        case .idle: idle
        case .write: write
        case .linger: linger
        }
    }
}
