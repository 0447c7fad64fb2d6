import Dispatch
import Glibc
import Synchronization
import Testing

@testable import Platform

@Suite struct SchedulingTests {
    @Test(arguments: [false, true]) func `a thread has its own name and nice value`(_ isBackground: Bool) {
        let before = niceOfThisThread()
        let done = DispatchSemaphore(value: 0)
        let seen = Mutex((name: "", nice: Int32.min))
        NamedThread.start("lp-a-name-that-is-long", isBackground: isBackground) {
            Scheduling.requestShortTimeSlice()
            seen.withLock { $0 = (nameOfThisThread(), niceOfThisThread()) }
            done.signal()
        }
        done.wait()
        #expect(seen.withLock { $0.name } == "lp-a-name-that-")
        #expect(seen.withLock { $0.nice } == (isBackground ? max(10, before) : before))
        #expect(niceOfThisThread() == before)
    }
}

private func niceOfThisThread() -> Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }

private func nameOfThisThread() -> String {
    var name = [CChar](repeating: 0, count: 16)
    let file = open("/proc/thread-self/comm", O_RDONLY)
    defer { close(file) }
    let count = read(file, &name, 16)
    return String(decoding: name.prefix(max(0, count - 1)).map(UInt8.init(bitPattern:)), as: UTF8.self)
}
