import Synchronization

/// Sends the changes of each commit to the observers of the store.
///
/// An observer is called after the commit is durable, in commit order, while no database handle is held, and before the write that made the
/// commit returns. Calls never overlap. An observer may read the store. It must not write to it: that deadlocks.
final class ChangeStream: Sendable {
    typealias Observer = @Sendable ([Change]) -> Void

    // Boxed: each time a closure is read out of a generic lock, it would be wrapped in another reabstraction thunk.
    fileprivate final class Entry: Sendable {
        let observer: Observer

        init(_ observer: @escaping Observer) {
            self.observer = observer
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
        for entry in entries.withLock({ $0 }) { entry.observer(changes) }
    }
}

/// The registration of an observer. It ends when this object is released.
package final class Observation: Sendable {
    private let entry: ChangeStream.Entry
    private let stream: ChangeStream

    fileprivate init(of entry: ChangeStream.Entry, in stream: ChangeStream) {
        self.entry = entry
        self.stream = stream
    }

    deinit { stream.remove(entry) }
}
