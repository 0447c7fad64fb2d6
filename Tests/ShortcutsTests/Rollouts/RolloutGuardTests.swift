import QuickActions
import Testing

@testable import Shortcuts

@Suite struct RolloutGuardTests {
    private func share(_ percent: String) throws -> RolloutShare { try #require(RolloutShare(percent: try read(percent))) }

    private func reason(_ candidate: Int, lost: Int = 0, _ control: Int, at percent: String = "50") throws -> RolloutEnd? {
        var taps = FirstTaps()
        taps.add(candidate - lost, of: .candidate, at: try share(percent), .replaced)
        taps.add(lost, of: .candidate, at: try share(percent), .removed)
        taps.add(control, of: .control, at: try share(percent), .unknown)
        return try #require(RolloutGuard(lost: try share("1"), worse: try share("90"))).reason(toStop: taps)
    }

    @Test func `a limit is above 0 percent`() throws {
        let (zero, least, most) = (try share("0"), try share("0.01"), try share("100"))
        #expect(RolloutGuard(lost: zero, worse: nil) == nil && RolloutGuard(lost: nil, worse: zero) == nil)
        #expect(RolloutGuard(lost: least, worse: most)?.worse == most)
    }

    @Test func `too many lost taps stop the candidate`() throws {
        #expect(try reason(1000, lost: 10, 1000) == nil)
        #expect(try reason(1000, lost: 40, 1000) == .lost)
        // Lost taps of the control do not count.
        #expect(try reason(1000, 1000) == nil)
    }

    @Test func `a worse candidate stops`() throws {
        #expect(try reason(900, 1000) == nil)
        #expect(try reason(500, 1000) == .worse)
        // It must be below 90 %, not only below 100 %.
        let (below, above) = (try reason(80_000, 100_000), try reason(95_000, 100_000))
        #expect(below == .worse && above == nil)
        #expect(try reason(2000, 1000) == nil)
    }

    @Test func `a guard waits for 100 first taps`() throws {
        #expect(try reason(99, lost: 99, 0) == nil)
        #expect(try reason(100, lost: 100, 0) == .lost)
        #expect(try reason(0, 99) == nil)
        #expect(try reason(0, 100) == .worse)
    }

    @Test func `a guard without limits never stops`() throws {
        var taps = FirstTaps()
        taps.add(1000, of: .candidate, at: try share("10"), .removed)
        #expect(RolloutGuard(lost: nil, worse: nil)?.reason(toStop: taps) == nil)
    }

    @Test func `lost taps stop a roll-out to everyone`() throws {
        #expect(try reason(1000, lost: 100, 0, at: "100") == .lost)
        #expect(try reason(1000, 0, at: "100") == nil)
    }
}
