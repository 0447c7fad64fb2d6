import CLinux
import Glibc

/// Threads with a name (`/proc/PID/task/*/comm`) and a priority of their own. Dispatch runs several queues on one thread, so that a
/// priority set for one queue would apply to the others.
package enum NamedThread {
    /// In bytes: four times what the deepest JSON document takes in a debug build (`StackTests`), ten times what it takes in release. Only
    /// pages that are touched take memory.
    package static let stackSize = 4 << 20

    /// Starts a thread that runs `body`. Any thread may call it. While the system refuses a thread (EAGAIN), it waits.
    /// - Parameters:
    ///   - name: at most 15 bytes; longer names are truncated.
    ///   - isBackground: the thread has the nice value 10, so that it yields to those that answer fetches; otherwise the caller's.
    package static func start(_ name: String, isBackground: Bool, _ body: @escaping @Sendable () -> Void) {
        while !startIfPossible(name, isBackground: isBackground, body) { usleep(10_000) }
    }

    /// As `start`, but returns false if the system refuses a thread.
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
            // After the priority, so that whoever sees the name sees the priority too.
            String(start.name.prefix(15)).withCString { lp_name_thread($0) }
            start.body()
            return nil
        }
    }
}
