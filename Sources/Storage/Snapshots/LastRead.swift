import Shortcuts
import Synchronization

/// What was last read of each app outside any write, for when the store cannot be read: better an old menu than none.
final class LastRead: Sendable {
    private struct Contents {
        var snapshots: [AppID: AppSnapshot] = [:]
        /// Sets and releases in all of them.
        var documents = 0
    }

    /// How many sets and releases are kept at most.
    private let capacity: Int
    private let contents = Mutex(Contents())

    init(capacity: Int = 1024) {
        self.capacity = capacity
    }

    /// Once they are too many, all go: those in use are soon back.
    func keep(_ snapshot: AppSnapshot?, of app: AppID) {
        contents.withLock { contents in
            if let former = contents.snapshots.removeValue(forKey: app) { contents.documents -= former.documents }
            guard let snapshot, snapshot.documents <= capacity else { return }
            if contents.documents + snapshot.documents > capacity { contents = Contents() }
            contents.snapshots[app] = snapshot
            contents.documents += snapshot.documents
        }
    }

    func snapshot(of app: AppID) -> AppSnapshot? {
        contents.withLock { $0.snapshots[app] }
    }
}
