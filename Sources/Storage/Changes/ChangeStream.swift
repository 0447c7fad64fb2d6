import Synchronization

/// Hands the changes of each commit to all who observe the store.
///
/// An observer is called after the commit is durable, in the order of commits, while no database handle is held, and before the
/// write that made the commit returns. Two calls never overlap. An observer may read the store; one that writes would wait for
/// itself.
final class ChangeStream: Sendable {
    typealias Observer = @Sendable ([Change]) -> Void

    // A closure in an object of its own: each time a lock hands out a closure itself, it comes back wrapped once more.
    fileprivate final class Entry: Sendable {
        let hear: Observer

        init(_ hear: @escaping Observer) {
            self.hear = hear
        }
    }

    private let entries = Mutex<[Entry]>([])

    func add(_ observer: @escaping Observer) -> Observation {
        let entry = Entry(observer)
        entries.withLock { $0.append(entry) }
        return Observation(of: entry, in: self)
    }

    fileprivate func remove(_ entry: Entry) {
        entries.withLock { entries in entries.removeAll { $0 === entry } }
    }

    func send(_ changes: [Change]) {
        guard !changes.isEmpty else { return }
        for entry in entries.withLock({ $0 }) { entry.hear(changes) }
    }
}

/// An observer of the store, for as long as this is kept.
package final class Observation: Sendable {
    private let entry: ChangeStream.Entry
    private let stream: ChangeStream

    fileprivate init(of entry: ChangeStream.Entry, in stream: ChangeStream) {
        self.entry = entry
        self.stream = stream
    }

    deinit { stream.remove(entry) }
}
