import Synchronization
import Testing

@testable import Service

@Suite struct BellTests {
    /// Each ring once made the next one's way longer, until the stack was used up.
    @Test func `the last of many rings is heard like the first`() {
        let bell = Bell<String>()
        let heard = Mutex(0)
        bell.ring("before anybody listens")
        bell.connect { news in heard.withLock { $0 += news.utf8.count } }
        for _ in 0..<200_000 { bell.ring("news") }
        #expect(heard.withLock { $0 } == 800_000)
    }
}
