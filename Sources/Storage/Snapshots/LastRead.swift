import QuickActions
import Shortcuts
import Synchronization

/// What was last read of each app outside any write: to be read again only once it has changed, and for when the store cannot
/// be read. Better an old menu than none.
final class LastRead: Sendable {
    enum App: Sendable {
        case whole(AppSnapshot)
        case stored(StoredApp)
    }

    private struct Contents {
        var apps: [AppID: App] = [:]
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
    func keep(_ app: App?, of id: AppID) {
        contents.withLock { contents in
            if let former = contents.apps.removeValue(forKey: id) { contents.documents -= former.weight }
            guard let app, app.weight <= capacity else { return }
            if contents.documents + app.weight > capacity { contents = Contents() }
            contents.apps[id] = app
            contents.documents += app.weight
        }
    }

    subscript(_ id: AppID) -> App? {
        contents.withLock { $0.apps[id] }
    }
}

extension LastRead.App {
    func isStored(under stamp: String) -> Bool {
        if case .stored(let app) = self { app.stamp == stamp } else { false }
    }

    func snapshot() throws(Failure) -> AppSnapshot {
        switch self {
        case .whole(let snapshot): snapshot
        case .stored(let app): try app.snapshot()
        }
    }

    func snapshot(effectiveFor version: AppVersion, _ audience: Audience) throws(Failure) -> EffectiveSnapshot {
        switch self {
        case .whole(let snapshot): snapshot.effective(for: version, audience)
        case .stored(let app): try app.snapshot(effectiveFor: version, audience)
        }
    }

    /// One for the app itself.
    fileprivate var weight: Int {
        switch self {
        case .whole(let snapshot): snapshot.documents
        case .stored(let app): 1 + app.releases.count + app.sets.count
        }
    }
}
