import Foundation
import Glibc
import Synchronization
import Testing

@testable import HTTPServer

@Suite struct SchedulingTests {
    @Test func `a thread that gives way does so alone`() {
        let done = DispatchSemaphore(value: 0)
        let nice = Mutex<[Int32]>([])
        let before = niceOfThisThread()
        Thread.detachNewThread {
            Scheduling.wakeAtOnce()
            nice.withLock { $0.append(niceOfThisThread()) }
            Scheduling.giveWay()
            nice.withLock { $0.append(niceOfThisThread()) }
            done.signal()
        }
        done.wait()
        #expect(nice.withLock { $0 } == [before, max(10, before)])
        #expect(niceOfThisThread() == before)
    }
}

private func niceOfThisThread() -> Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }
