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
            if let former = contents.snapshots.removeValue(forKey: app) { contents.documents -= former.weight }
            guard let snapshot, snapshot.weight <= capacity else { return }
            if contents.documents + snapshot.weight > capacity { contents = Contents() }
            contents.snapshots[app] = snapshot
            contents.documents += snapshot.weight
        }
    }

    func snapshot(of app: AppID) -> AppSnapshot? {
        contents.withLock { $0.snapshots[app] }
    }
}

extension AppSnapshot {
    /// One for the app itself.
    fileprivate var weight: Int {
        1 + releases.count + timelines.values.reduce(0) { $0 + $1.sets.count }
    }
}
