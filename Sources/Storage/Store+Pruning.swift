import QuickActions
import Shortcuts

/// How long finished deliveries, events, tap counts, the journal of the stream and the audit are stored, counted from the event.
package struct Retention: Sendable {
    /// Deliveries that are delivered, exhausted or cancelled, and events without deliveries.
    package var finished = Duration.seconds(30 * 24 * 3600)
    /// Deliveries that are held for a disabled endpoint.
    package var held = Duration.seconds(14 * 24 * 3600)
    /// Hourly tap counts, and roll-outs that have ended.
    package var taps = Duration.seconds(180 * 24 * 3600)
    /// The progress of processes that count taps, from their last batch.
    package var tapWriters = Duration.seconds(7 * 24 * 3600)
    /// The ids of the batches of taps that clients reported. Clients drop batches older than six days.
    package var tapBatches = Duration.seconds(7 * 24 * 3600)
    /// The journal of the stream, counted from the change, and its maximum number of entries.
    package var stream = Duration.seconds(7 * 24 * 3600)
    package var streamEntries = 100_000
    /// Entries of the audit; nil stores them forever.
    package var audit: Duration?

    package init() {}
}

extension Store {
    /// Deletes old rows in one transaction: at most `limit` deliveries with their attempts, and at most `limit` each of events without
    /// deliveries, tap counts, ended roll-outs, counting processes, batches of taps, entries of the stream's journal and of the audit,
    /// expired sessions and preview links. Pending and leased deliveries stay, however old.
    /// - Returns: the number of deleted rows, and whether there may be more.
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
            let streamed = try connection.removeStreamEntries(
                before: now.before(retention.stream), kept: retention.streamEntries, limit: limit)
            let taps = try connection.removeTaps(before: now.before(retention.taps), limit: limit)
            let earlierTaps = try connection.removeEarlierTaps(before: now.before(retention.taps), limit: limit)
            let rollouts = try connection.removeRollouts(endedBefore: now.before(retention.taps), limit: limit)
            let days = try connection.removeTapDays(before: now.before(retention.taps), limit: limit)
            let writers = try connection.removeTapWriters(before: now.before(retention.tapWriters), limit: limit)
            let batches = try connection.removeTapBatches(before: now.before(retention.tapBatches), limit: limit)
            let sessions = try connection.removeSessions(expiredAt: now, limit: limit)
            let previews = try connection.removePreviewLinks(expiredAt: now, limit: limit)
            let audited = try retention.audit.map { age throws(Failure) in
                try connection.removeAudit(before: now.before(age), limit: limit)
            }
            let others = [events, taps, earlierTaps, rollouts, days, writers, batches, streamed, sessions, previews, audited ?? 0]
            return (limit - left + others.reduce(0, +), left == 0 || others.contains(limit))
        }
    }
}

extension SQLConnection {
    /// Attempts are deleted by cascade. SQLite only uses the partial index if its condition on `pending` is repeated.
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

    fileprivate func removeAudit(before end: Timestamp, limit: Int) throws(Failure) -> Int {
        try execute(
            "DELETE FROM audit WHERE sequence IN (SELECT sequence FROM audit WHERE at < ? ORDER BY at LIMIT ?)",
            [SQLValue(end), SQLValue(limit)])
    }
}

extension Timestamp {
    fileprivate func before(_ duration: Duration) -> Timestamp {
        Timestamp(milliseconds: milliseconds - duration.inMilliseconds)
    }
}
