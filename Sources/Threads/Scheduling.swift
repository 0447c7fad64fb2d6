import CEpoll
import Glibc

/// Which of the process's threads run first where there are fewer cores than work. What cannot be had is done without.
package enum Scheduling {
    /// The calling thread runs at once when it wakes, and not only when whoever has the core has used up a slice of milliseconds.
    /// It gets no more of the core for it. Linux 6.12 and later.
    ///
    /// To be called wherever a thread that is not ours begins to do what must be quick: the system is asked once a thread.
    package static func wakeAtOnce() { lp_set_time_slice_once(100_000) }

    /// The calling thread gives way, for good, to those that answer fetches: where all want to run it has a tenth of their share.
    static func giveWay() {
        let thread = __priority_which_t(PRIO_PROCESS.rawValue)
        _ = setpriority(thread, 0, max(10, getpriority(thread, 0)))
    }
}
