import QuickActions
import Shortcuts
import Synchronization

/// Apps as they were last read, bounded in bytes; what is used least is evicted (CLOCK). An app is read again only once its stamp is
/// another one, in whatever process it was changed, and what is here is served while the store cannot be read.
final class SnapshotCache: Sendable {
    private struct Entry: Sendable {
        /// Stood in the store, for certain: was read outside of any write, or the write that made it was committed.
        var committed: StoredApp?
        /// The moment by which `committed` stood.
        var moment = 0
        /// What a write has made of the app that may yet be rolled back: found by its stamp only, which nobody reads then.
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

    /// Another one with each call: an order for what threads read at their own pace.
    func nextMoment() -> Int { lastMoment.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue }

    /// What was read up to now may be of another life of the database. It is still served while the store cannot be read; nothing is
    /// concluded from it, and what is read next replaces it.
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

    /// Whatever its stamp is by now: for when the store cannot be read. Better an old menu than none.
    func lastCommitted(_ id: AppID) -> StoredApp? {
        entries.withLock { $0.value(for: id)?.committed }
    }

    /// The committed sets: a set with that identity need not be parsed again.
    func sets(of id: AppID) -> [StoredApp.StoredSet.Identity: StoredApp.StoredSet] {
        guard let entry = entries.withLock({ $0.entry(for: id)?.value }), !isExpired(entry.moment), let app = entry.committed else {
            return [:]
        }
        return Dictionary(app.sets.map { ($0.identity, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// What was read outside of any write, with what of it was parsed since.
    /// - Parameters:
    ///   - begin: a moment before it was read.
    ///   - end: a moment after that. A reader may be slow to keep what it read: what was read or committed since is newer.
    func keep(_ app: StoredApp, readFrom begin: Int, to end: Int) {
        guard !isExpired(begin) else { return }
        entries.withLock { entries in
            let former = entries.entry(for: app.app.id)?.value
            if let former, let known = former.committed {
                if known.stamp == app.stamp {
                    guard known.cost < app.cost || isExpired(former.moment) else { return }
                } else if former.moment > begin {
                    // Of two that were read at the same time, the greater revision is newer.
                    guard end > former.moment, app.lastRevision > known.lastRevision else { return }
                }
            }
            let entry = Entry(committed: app, moment: max(end, former?.moment ?? 0), pending: former?.pending)
            Self.keep(entry, of: app.app.id, in: &entries)
        }
    }

    /// What a write leaves, until it is known to be committed.
    func keepPending(_ app: StoredApp) {
        entries.withLock { entries in
            var entry = entries.entry(for: app.app.id)?.value ?? Entry()
            entry.pending = app
            Self.keep(entry, of: app.app.id, in: &entries)
        }
    }

    /// The write that gave the app this stamp was committed.
    func commit(_ id: AppID, under stamp: String) {
        entries.withLock { entries in
            guard let entry = entries.entry(for: id)?.value, let pending = entry.pending, pending.stamp == stamp else { return }
            // Another node may have published since, and this process have read it.
            guard isExpired(entry.moment) || pending.lastRevision >= entry.committed?.lastRevision ?? 0 else { return }
            Self.keep(Entry(committed: pending, moment: nextMoment()), of: id, in: &entries)
        }
    }

    /// A reader has found no such app.
    /// - Parameter begin: a moment before that: who is slow does not remove an app that was made since.
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
