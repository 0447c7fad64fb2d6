import QuickActions
import Shortcuts
import Synchronization

/// Snapshots as they were last read, each under the stamp that its app had. Whoever finds that stamp in a transaction
/// need not read and parse the documents again; a change gives the app another stamp, in whatever process it is made.
final class RecentSnapshots: Sendable {
    private struct Entry {
        let stamp: String
        let snapshot: AppSnapshot
        /// Whether its revisions came about for certain: seen outside the transaction that may have made them.
        var isCommitted: Bool
    }

    private struct Contents {
        var entries: [AppID: Entry] = [:]
        /// Sets and releases in all of them.
        var documents = 0
    }

    /// How many sets and releases are kept at most; a document takes some kilobytes.
    private let capacity: Int
    private let contents = Mutex(Contents())

    init(capacity: Int = 1024) {
        self.capacity = capacity
    }

    /// - Parameter isCommitted: whether the stamp was read outside of any write.
    func snapshot(of app: AppID, under stamp: String, isCommitted: Bool) -> AppSnapshot? {
        contents.withLock { contents in
            guard let entry = contents.entries[app], entry.stamp == stamp else { return nil }
            if isCommitted, !entry.isCommitted { contents.entries[app]?.isCommitted = true }
            return entry.snapshot
        }
    }

    /// By their revisions, under whatever stamp: a committed revision never changes and its number is never given again.
    func sets(of app: AppID) -> [Int64: ShortcutSet] {
        let entry = contents.withLock { $0.entries[app] }
        guard let entry, entry.isCommitted else { return [:] }
        let published = entry.snapshot.timelines.values.flatMap(\.sets)
        return Dictionary(uniqueKeysWithValues: published.map { ($0.revision, $0.set) })
    }

    /// Once they are too many, all go: those in use are soon back. What is kept of a write that is rolled back is never found:
    /// nobody reads its stamp again.
    func keep(_ snapshot: AppSnapshot, under stamp: String, isCommitted: Bool) {
        contents.withLock { contents in
            if let former = contents.entries.removeValue(forKey: snapshot.app.id) {
                contents.documents -= former.snapshot.documents
            }
            if contents.documents + snapshot.documents > capacity { contents = Contents() }
            guard snapshot.documents <= capacity else { return }
            contents.entries[snapshot.app.id] = Entry(stamp: stamp, snapshot: snapshot, isCommitted: isCommitted)
            contents.documents += snapshot.documents
        }
    }
}
