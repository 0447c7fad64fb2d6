import QuickActions
import Shortcuts
import Synchronization

/// A cache of apps, bounded in bytes; entries with the fewest uses are evicted (CLOCK). An app is only read again if its stamp differs,
/// whichever process changed it. While the store cannot be read, answers come from this cache.
final class SnapshotCache: Sendable {
    private struct Entry: Sendable {
        /// A state that was certainly committed: it was read outside of any write, or its write was committed.
        var committed: StoredApp?
        /// The moment at which `committed` was known to be in the store.
        var moment = 0
        /// The app after a write that may still be rolled back. It is only found by its stamp, which nobody can read before the commit.
        var pending: StoredApp?

        var cost: Int { (committed?.cost ?? 0) + (pending?.cost ?? 0) }
    }

    private let entries: Mutex<ClockCache<AppID, Entry>>
    private let lastMoment = Atomic<Int>(0)
    private let expiry = Atomic<Int>(0)

    let noteUnreadable: @Sendable (UnreadableRow) -> Void

    /// - Parameter budget: in bytes.
    init(budget: Int, noteUnreadable: @escaping @Sendable (UnreadableRow) -> Void = { _ in }) {
        entries = Mutex(ClockCache(capacity: budget))
        self.noteUnreadable = noteUnreadable
    }

    var byteCount: Int { entries.withLock { $0.cost } }

    /// Increases with each call: it orders the reads and commits of threads.
    func nextMoment() -> Int { lastMoment.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue }

    /// Marks all entries as possibly from before a restore of the database. They are still served while the store cannot be read. Otherwise
    /// they are not used, and the next read replaces them.
    func expire() { expiry.store(nextMoment(), ordering: .releasing) }

    private func isExpired(_ moment: Int) -> Bool { moment <= expiry.load(ordering: .acquiring) }

    /// - Parameter isCommitted: whether the stamp was read outside of any write.
    func app(_ id: AppID, under stamp: String, isCommitted: Bool) -> StoredApp? {
        entries.withLock { entries in
            guard let entry = entries.value(for: id) else { return nil }
            if let app = entry.committed, app.stamp == stamp { return app }
            guard let app = entry.pending, app.stamp == stamp else { return nil }
            if isCommitted { Self.keep(Entry(committed: app, moment: nextMoment()), of: id, in: &entries) }
            return app
        }
    }

    /// The last committed state whatever its stamp, for when the store cannot be read.
    func lastCommitted(_ id: AppID) -> StoredApp? {
        entries.withLock { $0.value(for: id)?.committed }
    }

    /// The committed sets. A set with the same identity need not be parsed again.
    func sets(of id: AppID) -> [StoredApp.StoredSet.Identity: StoredApp.StoredSet] {
        guard let entry = entries.withLock({ $0.entry(for: id)?.value }), !isExpired(entry.moment), let app = entry.committed else {
            return [:]
        }
        return Dictionary(app.sets.map { ($0.identity, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Caches an app that was read outside of any write, with the sets that were parsed so far.
    /// - Parameters:
    ///   - begin: a moment before the read.
    ///   - end: a moment after the read. If another thread cached a newer read or commit since, that one stays.
    func keep(_ app: StoredApp, readFrom begin: Int, to end: Int) {
        guard !isExpired(begin) else { return }
        entries.withLock { entries in
            let previous = entries.entry(for: app.app.id)?.value
            if let previous, let known = previous.committed {
                if known.stamp == app.stamp {
                    guard known.cost < app.cost || isExpired(previous.moment) else { return }
                } else if previous.moment > begin {
                    // If two reads overlap in time, the one with the greater revision is newer.
                    guard end > previous.moment, app.lastRevision > known.lastRevision else { return }
                }
            }
            let entry = Entry(committed: app, moment: max(end, previous?.moment ?? 0), pending: previous?.pending)
            Self.keep(entry, of: app.app.id, in: &entries)
        }
    }

    /// Stores the app after a write, until the write is known to be committed.
    func keepPending(_ app: StoredApp) {
        entries.withLock { entries in
            var entry = entries.entry(for: app.app.id)?.value ?? Entry()
            entry.pending = app
            Self.keep(entry, of: app.app.id, in: &entries)
        }
    }

    /// Call it when the write that gave the app this stamp was committed.
    func commit(_ id: AppID, under stamp: String) {
        entries.withLock { entries in
            guard let entry = entries.entry(for: id)?.value, let pending = entry.pending, pending.stamp == stamp else { return }
            // Another node may have published since, and this process may have read that.
            guard isExpired(entry.moment) || pending.lastRevision >= entry.committed?.lastRevision ?? 0 else { return }
            Self.keep(Entry(committed: pending, moment: nextMoment()), of: id, in: &entries)
        }
    }

    /// Call it when a reader did not find the app.
    /// - Parameter begin: a moment before the read. An app that was created since stays.
    func remove(_ id: AppID, readFrom begin: Int) {
        entries.withLock { entries in
            guard let entry = entries.entry(for: id)?.value, entry.moment < begin else { return }
            _ = entries.remove(id)
        }
    }

    private static func keep(_ entry: Entry, of id: AppID, in entries: inout ClockCache<AppID, Entry>) {
        _ = entries.insert(entry, for: id, cost: entry.cost, uses: entries.entry(for: id)?.uses ?? 0)
    }
}
