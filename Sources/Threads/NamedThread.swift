import CEpoll
import Glibc

/// A thread of the process's own, seen by its name in `/proc/PID/task/*/comm`. Its priority is its own: Dispatch's threads are
/// lent to one queue and then to another, so that what is asked for one would be had by both.
package enum NamedThread {
    /// In bytes: four times what the deepest JSON document takes in a debug build (`StackTests`), ten times what it takes in release. Only
    /// pages that are touched take memory.
    package static let stackSize = 4 << 20

    /// Starts a thread that ends with `body`. Any thread may call it; the new one has the caller's nice value, or gives way.
    ///
    /// Where the system has no thread to give, waits until it has.
    /// - Parameter name: at most 15 bytes, the rest is cut off.
    package static func start(_ name: String, givesWay: Bool, _ body: @escaping @Sendable () -> Void) {
        while !startIfPossible(name, givesWay: givesWay, body) { usleep(10_000) }
    }

    /// As `start`, but returns false where the system has no thread to give.
    package static func startIfPossible(
        _ name: String, givesWay: Bool, stackSize: Int = stackSize, _ body: @escaping @Sendable () -> Void
    ) -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stackSize)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let start = Unmanaged.passRetained(Start(name: name, givesWay: givesWay, body: body))
        var thread = pthread_t()
        let code = pthread_create(&thread, &attributes, { Start.run($0) }, start.toOpaque())
        if code != 0 { start.release() }
        return code == 0
    }

    private final class Start: Sendable {
        let name: String
        let givesWay: Bool
        let body: @Sendable () -> Void

        init(name: String, givesWay: Bool, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.givesWay = givesWay
            self.body = body
        }

        static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
            guard let argument else { return nil }
            let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
            if start.givesWay { Scheduling.giveWay() }
            // After the priority, so that who knows the name knows that too.
            String(start.name.prefix(15)).withCString { lp_name_thread($0) }
            start.body()
            return nil
        }
    }
}
