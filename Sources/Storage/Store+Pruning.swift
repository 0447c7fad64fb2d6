import QuickActions
import SQL
import Shortcuts

/// How long what is over is kept, counted from the event.
package struct Retention: Sendable {
    /// Delivered, exhausted or cancelled; and events that nothing is to be delivered of.
    package var finished = Duration.seconds(30 * 24 * 3600)
    /// For a disabled endpoint.
    package var held = Duration.seconds(14 * 24 * 3600)
    /// Hours in which taps were counted.
    package var taps = Duration.seconds(180 * 24 * 3600)

    package init() {}
}

extension Store {
    /// One small step: lets go of at most `limit` deliveries with their attempts, and of at most as many events without
    /// deliveries and counts of taps. What is pending or under way is kept, however old.
    /// - Returns: whether there may be more.
    package func prune(at now: Timestamp, keeping retention: Retention = Retention(), limit: Int = 200) throws(Failure)
        -> (removed: Int, hasMore: Bool)
    {
        try database.write { connection throws(Failure) in
            let finished = now.before(retention.finished)
            var left = limit
            for (state, end) in [
                (Delivery.State.delivered, finished), (.exhausted, finished), (.cancelled, finished),
                (.held, now.before(retention.held)),
            ] where left > 0 {
                left -= try connection.removeDeliveries(in: state, createdBefore: end, limit: left)
            }
            let events = try connection.removeEvents(before: finished, limit: limit)
            let taps = try connection.removeTaps(before: now.before(retention.taps), limit: limit)
            return (limit - left + events + taps, left == 0 || events == limit || taps == limit)
        }
    }
}

extension SQLConnection {
    /// Their attempts go with them. The condition on pending is the index's own, which SQLite wants to see.
    fileprivate func removeDeliveries(
        in state: Delivery.State, createdBefore end: Timestamp, limit: Int
    ) throws(Failure) -> Int {
        try execute(
            """
            DELETE FROM deliveries WHERE sequence IN
                (SELECT sequence FROM deliveries
                 WHERE state = ? AND state <> 'pending' AND created_at < ? AND lease_token IS NULL
                 ORDER BY created_at LIMIT ?)
            """, [.text(state.rawValue), SQLValue(end), SQLValue(limit)])
    }

    fileprivate func removeEvents(before end: Timestamp, limit: Int) throws(Failure) -> Int {
        try execute(
            """
            DELETE FROM events WHERE id IN
                (SELECT e.id FROM events e WHERE e.occurred_at < ?
                 AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.event = e.id) ORDER BY e.occurred_at LIMIT ?)
            """, [SQLValue(end), SQLValue(limit)])
    }
}

extension Timestamp {
    fileprivate func before(_ duration: Duration) -> Timestamp {
        Timestamp(milliseconds: milliseconds - duration.inMilliseconds)
    }
}
