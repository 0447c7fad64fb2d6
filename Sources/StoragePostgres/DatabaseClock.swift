import QuickActions
import Shortcuts
import Synchronization

/// The clock of the database, which all nodes share: the system's clock plus an offset that each poll measures.
package final class DatabaseClock: WallClock {
    private let offset = Atomic<Int64>(0)
    private let system: any WallClock

    init(_ system: any WallClock = SystemClock()) {
        self.system = system
    }

    package func now() -> Timestamp { system.now() + .milliseconds(offset.load(ordering: .relaxed)) }

    /// The database's clock minus this machine's, in milliseconds.
    package var offsetMilliseconds: Int64 { offset.load(ordering: .relaxed) }

    /// - Parameters:
    ///   - databaseTime: the database's answer.
    ///   - sent, received: the system's time before and after the request. Their middle is taken as the time of the answer, so the error is
    ///     at most half of the round trip.
    func measure(_ databaseTime: Int64, sent: Timestamp, received: Timestamp) {
        let roundTrip = received.milliseconds - sent.milliseconds
        guard (0...1000).contains(roundTrip) else { return }
        let measured = databaseTime - sent.milliseconds - roundTrip / 2
        // A difference within the measurement error is ignored, so that times stay in order.
        if abs(measured - offsetMilliseconds) > max(roundTrip, 2) { offset.store(measured, ordering: .relaxed) }
    }

    var systemNow: Timestamp { system.now() }
}
