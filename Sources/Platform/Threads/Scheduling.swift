import CLinux
import Glibc

/// Scheduling attributes of the calling thread. Errors of the kernel are ignored.
package enum Scheduling {
    /// Requests a time slice of 0.1 ms. With it, EEVDF lets the thread preempt others when it wakes instead of waiting for their slices of
    /// milliseconds. Its share of the core stays the same. Linux 6.12 and later (sched_setattr(2)).
    ///
    /// For event loops, which run on Dispatch's threads: call it at the beginning of each turn. Only the first call on a thread makes a
    /// system call.
    package static func requestShortTimeSlice() { lp_set_time_slice_once(100_000) }

    /// Raises the nice value to 10: compared to a thread of the default priority it gets a tenth of the share. It cannot be undone.
    static func lowerPriority() {
        let thread = __priority_which_t(PRIO_PROCESS.rawValue)
        _ = setpriority(thread, 0, max(10, getpriority(thread, 0)))
    }
}
