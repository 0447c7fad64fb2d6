import Glibc
import SimulationKernel

/// Stands in for the product's file of this name: the world raises signals for a simulated process.
final class ProcessSignals {
    private let inbox = SimulatedSignals.inbox(of: Kernel.process)

    static func deferHarmless() {}

    func next(within limit: Duration? = nil) -> Int32? {
        let end = limit.map { Kernel.now + $0.inMilliseconds * 1_000_000 }
        while inbox.numbers.isEmpty {
            if let end, Kernel.now >= end { return nil }
            Kernel.wait(in: inbox.arrival, until: end, "signal")
        }
        return inbox.numbers.removeFirst()
    }
}

package enum SimulatedSignals {
    fileprivate final class Inbox {
        var numbers: [Int32] = []
        let arrival = WaitQueue()
    }

    nonisolated(unsafe) private static var inboxes: [Int: Inbox] = [:]

    fileprivate static func inbox(of process: Int) -> Inbox {
        if let known = inboxes[process] { return known }
        let new = Inbox()
        inboxes[process] = new
        return new
    }

    package static func raise(_ number: Int32, in process: Int) {
        inbox(of: process).numbers.append(number)
        Kernel.wakeAll(inbox(of: process).arrival)
    }
}
