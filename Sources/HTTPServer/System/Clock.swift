import Glibc

/// The kernel's clocks, read without a system call (vDSO).
enum Clock {
    /// CLOCK_MONOTONIC in nanoseconds.
    static func monotonic() -> UInt64 {
        var time = timespec()
        _ = clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
    }

    /// CLOCK_REALTIME_COARSE in whole seconds, for `Date`.
    static func secondsSince1970() -> Int {
        var time = timespec()
        _ = clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return time.tv_sec
    }
}

extension Duration {
    /// 0 for a negative duration. A long duration is limited to half of `UInt64.max`, so that it can be added to a time.
    var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = UInt64(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max / 2 : min(.max / 2, product &+ UInt64(clamping: attoseconds / 1_000_000_000))
    }
}
