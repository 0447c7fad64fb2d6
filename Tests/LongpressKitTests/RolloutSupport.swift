import Foundation
import QuickActions
import Testing

@testable import LongpressKit
@testable import Shortcuts

extension AppSnapshot {
    /// The app while a candidate of the set of 2.0 is rolled out.
    func rollingOut(_ candidate: String, as id: RolloutID = "r1", to threshold: Int, revision: Int64 = 9) throws -> AppSnapshot {
        var set = try #require(ownTimeline(of: .default).set(startingAt: version("2.0")))
        set.candidate = Candidate(
            rollout: id, share: try #require(RolloutShare(threshold: threshold)), revision: revision,
            startedAt: Timestamp(milliseconds: 0), by: "ci", set: try LongpressKitTests.set(candidate))
        return replacing(set, in: .default)
    }
}
