import Glibc

enum Clock {
    /// Nanoseconds since some time in the past; never goes back.
    static func monotonic() -> UInt64 {
        var time = timespec()
        _ = clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
    }

    /// Whole seconds since 1970.
    static func secondsSince1970() -> Int {
        var time = timespec()
        _ = clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return time.tv_sec
    }
}

extension Duration {
    /// Zero where negative.
    var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = UInt64(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max / 2 : min(.max / 2, product &+ UInt64(clamping: attoseconds / 1_000_000_000))
    }
}
