import QuickActions
import Shortcuts
import Synchronization

/// Apps as they were last read, bounded in bytes; what is used least is evicted (CLOCK). An app is read again only once its stamp is
/// another one, in whatever process it was changed, and what is here is served while the store cannot be read.
final class SnapshotCache: Sendable {
    private struct Entry: Sendable {
        /// Stood in the store, for certain: was read outside of any write, or the write that made it was committed.
        var committed: StoredApp?
        /// What a write has made of the app that may yet be rolled back: found by its stamp only, which nobody reads then.
        var pending: StoredApp?

        var cost: Int { (committed?.cost ?? 0) + (pending?.cost ?? 0) }
    }

    private let entries: Mutex<ClockCache<AppID, Entry>>

    /// - Parameter budget: in bytes.
    init(budget: Int) {
        entries = Mutex(ClockCache(capacity: budget))
    }

    var byteCount: Int { entries.withLock { $0.cost } }

    /// - Parameter isCommitted: whether the stamp was read outside of any write.
    func app(_ id: AppID, under stamp: String, isCommitted: Bool) -> StoredApp? {
        entries.withLock { entries in
            guard let entry = entries.value(for: id) else { return nil }
            if let app = entry.committed, app.stamp == stamp { return app }
            guard let app = entry.pending, app.stamp == stamp else { return nil }
            if isCommitted { Self.keep(Entry(committed: app), of: id, in: &entries) }
            return app
        }
    }

    /// Whatever its stamp is by now: for when the store cannot be read. Better an old menu than none.
    func lastCommitted(_ id: AppID) -> StoredApp? {
        entries.withLock { $0.value(for: id)?.committed }
    }

    /// By their revisions: a committed revision never changes and its number is never given again.
    func sets(of id: AppID) -> [Int64: StoredApp.StoredSet] {
        let committed = entries.withLock { $0.entry(for: id)?.value.committed }
        return Dictionary(committed?.sets.map { ($0.revision, $0) } ?? [], uniquingKeysWith: { first, _ in first })
    }

    /// What was read outside of any write, with what of it was parsed since.
    func keep(_ app: StoredApp) {
        entries.withLock { entries in
            let former = entries.entry(for: app.app.id)?.value
            if let known = former?.committed, known.stamp == app.stamp, known.cost >= app.cost { return }
            Self.keep(Entry(committed: app, pending: former?.pending), of: app.app.id, in: &entries)
        }
    }

    /// What a write leaves, until it is known to be committed.
    func keepPending(_ app: StoredApp) {
        entries.withLock { entries in
            let committed = entries.entry(for: app.app.id)?.value.committed
            Self.keep(Entry(committed: committed, pending: app), of: app.app.id, in: &entries)
        }
    }

    /// The write that gave the app this stamp was committed.
    func commit(_ id: AppID, under stamp: String) {
        entries.withLock { entries in
            guard let entry = entries.entry(for: id)?.value, let pending = entry.pending, pending.stamp == stamp else { return }
            // Another node may have published since, and this process have read it.
            guard pending.lastRevision >= entry.committed?.lastRevision ?? 0 else { return }
            Self.keep(Entry(committed: pending), of: id, in: &entries)
        }
    }

    /// There is no such app any more.
    func remove(_ id: AppID) {
        entries.withLock { _ = $0.remove(id) }
    }

    private static func keep(_ entry: Entry, of id: AppID, in entries: inout ClockCache<AppID, Entry>) {
        _ = entries.insert(entry, for: id, cost: entry.cost, uses: entries.entry(for: id)?.uses ?? 0)
    }
}
