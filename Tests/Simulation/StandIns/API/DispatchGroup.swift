import Dispatch
import SimulationKernel

/// Stands in for Dispatch's group.
final class DispatchGroup: @unchecked Sendable {
    private var count = 0
    private let queue = WaitQueue()

    func enter() { count += 1 }

    func leave() {
        count -= 1
        if count == 0 { Kernel.wakeAll(queue) }
        Kernel.point("group")
    }

    func wait() {
        Kernel.point("group")
        while count > 0 { Kernel.wait(in: queue, "group") }
    }
}
