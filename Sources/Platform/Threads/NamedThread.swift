import CLinux
import Glibc

/// Threads with a name (`/proc/PID/task/*/comm`) and their own priority. Dispatch runs several queues on one thread, so a priority for one
/// queue would apply to the others.
package enum NamedThread {
    /// In bytes: four times the need of the deepest JSON document in a debug build (`StackTests`), ten times the need in a release build.
    /// Only touched pages take memory.
    package static let stackSize = 4 << 20

    /// Starts a thread that runs `body`. Any thread may call it. If the system has no thread to give (EAGAIN), it waits.
    /// - Parameters:
    ///   - name: at most 15 bytes; longer names are truncated.
    ///   - isBackground: the thread has the nice value 10, so that it yields to threads that answer fetches. Otherwise it has the caller's.
    package static func start(_ name: String, isBackground: Bool, _ body: @escaping @Sendable () -> Void) {
        while !startIfPossible(name, isBackground: isBackground, body) { usleep(10_000) }
    }

    /// Like `start`, but returns false if the system has no thread to give (EAGAIN).
    package static func startIfPossible(
        _ name: String, isBackground: Bool, stackSize: Int = stackSize, _ body: @escaping @Sendable () -> Void
    ) -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stackSize)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let start = Unmanaged.passRetained(Start(name: name, isBackground: isBackground, body: body))
        var thread = pthread_t()
        let code = pthread_create(&thread, &attributes, { Start.run($0) }, start.toOpaque())
        if code != 0 { start.release() }
        return code == 0
    }

    private final class Start: Sendable {
        let name: String
        let isBackground: Bool
        let body: @Sendable () -> Void

        init(name: String, isBackground: Bool, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.isBackground = isBackground
            self.body = body
        }

        static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
            guard let argument else { return nil }
            let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
            if start.isBackground { Scheduling.lowerPriority() }
            // After the priority: the name shows that the priority is set.
            String(start.name.prefix(15)).withCString { lp_name_thread($0) }
            start.body()
            return nil
        }
    }
}

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
