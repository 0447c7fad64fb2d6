import Dispatch
import Glibc
import Synchronization
import Testing

@testable import Platform

@Suite struct SerialThreadTests {
    private let order = Order()

    @Test(arguments: [false, true]) func `jobs run in order, delayed ones when they are due`(_ isOnWallClock: Bool) {
        let thread = SerialThread("test", isBackground: false, isOnWallClock: isOnWallClock)
        let owners = (Order(), Order())
        let done = DispatchSemaphore(value: 0)
        // On the thread itself, so that no job runs before all are submitted.
        thread.runAndWait { [order] in
            thread.run(after: .milliseconds(60), for: owners.0) {
                order.add(4)
                done.signal()
            }
            thread.run(after: .milliseconds(20), for: owners.1) { order.add(3) }
            thread.run { order.add(1) }
            thread.run { order.add(2) }
        }
        done.wait()
        #expect(order.all == [1, 2, 3, 4])
    }

    @Test func `a delayed job replaces the previous one of its owner`() {
        let thread = SerialThread("test", isBackground: false)
        let done = DispatchSemaphore(value: 0)
        thread.runAndWait { [order] in
            thread.run(after: .milliseconds(20), for: order) { order.add(1) }
            thread.run(after: .milliseconds(40), for: order) {
                order.add(2)
                done.signal()
            }
        }
        done.wait()
        #expect(order.all == [2])
    }

    @Test func `it ends with its last reference, and releases delayed jobs`() {
        weak var kept: Order?
        do {
            let thread = SerialThread("test", isBackground: false)
            let owner = Order()
            kept = owner
            thread.run(after: .seconds(3600), for: owner) { owner.add(1) }
        }
        let deadline = ContinuousClock.now + .seconds(60)
        while kept != nil, ContinuousClock.now < deadline { sched_yield() }
        #expect(kept == nil)
    }
}

private final class Order: Sendable {
    private let numbers = Mutex<[Int]>([])
    var all: [Int] { numbers.withLock { $0 } }
    func add(_ number: Int) { numbers.withLock { $0.append(number) } }
}
