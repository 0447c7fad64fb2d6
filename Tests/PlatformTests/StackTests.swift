import Dispatch
import QuickActions
import Synchronization
import Testing

@testable import Platform

@Suite struct StackTests {
    /// In a debug build. An optimized build needs less, the address sanitizer more.
    @Test(arguments: [("[", "]"), (#"{"a":"#, "}")])
    func `half of a stack is enough for the deepest document`(_ opening: String, _ closing: String) {
        let text = Array((String(repeating: opening, count: 256) + "1" + String(repeating: closing, count: 256)).utf8)
        let done = DispatchSemaphore(value: 0)
        let written = Mutex<[UInt8]?>(nil)
        let isStarted = NamedThread.startIfPossible("test", isBackground: false, stackSize: NamedThread.stackSize / 2) {
            let document = try? JSONReader.read(text)
            written.withLock { $0 = document?.canonical.encoded }
            done.signal()
        }
        #expect(isStarted)
        done.wait()
        #expect(written.withLock { $0 } == text)
    }
}
