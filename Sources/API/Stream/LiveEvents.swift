import Dispatch
import HTTP
import QuickActions
import Shortcuts
import Synchronization

/// The journal entries that this process serves, with the newest of them as events. Any thread may call its functions.
///
/// An entry is published here after the observers of its commit have run, so that later fetches are not older than the entry.
package final class LiveEvents: Sendable {
    /// The number of events in memory.
    private static let limit = 1024

    private struct Waiter {
        let number: Int64
        let semaphore: DispatchSemaphore
    }

    private struct State {
        var position = StreamPosition(number: 0, tag: "")
        /// With their tags, in order and without gaps. The last one is at `position`.
        var recent: [(event: StreamedEvent, tag: String)] = []
        var waiters: [Waiter] = []
        /// Identifies the run of numbers; it changes with each restart of the stream.
        var era = 0

        mutating func advance(to position: StreamPosition) {
            self.position = position
            for waiter in waiters where waiter.number <= position.number { waiter.semaphore.signal() }
            waiters.removeAll { $0.number <= position.number }
        }
    }

    private let state = Mutex(State())
    private let interest = Atomic<Int>(0)

    package init() {}

    /// The position after the last served entry.
    package var position: StreamPosition { state.withLock { $0.position } }

    /// Whether anybody waits for events. If not, entries need not be published as they arrive.
    package var isWanted: Bool { interest.load(ordering: .sequentiallyConsistent) > 0 }

    /// Whether the entry with that tag is among the newest events.
    package func hasRecent(tag: String) -> Bool { state.withLock { state in state.recent.contains { $0.tag == tag } } }

    /// Makes `isWanted` true until it is released.
    final class Interest: Sendable {
        private let live: LiveEvents

        fileprivate init(in live: LiveEvents) {
            self.live = live
            live.interest.add(1, ordering: .sequentiallyConsistent)
        }

        deinit { live.interest.subtract(1, ordering: .sequentiallyConsistent) }
    }

    func newInterest() -> Interest { Interest(in: self) }

    /// Publishes the entries that follow `position`, in order. Called by one thread.
    /// - Returns: the events, for the streams.
    package func publish(_ entries: [StreamEntry], at address: PublicAddress) -> [StreamedEvent] {
        guard let last = entries.last else { return [] }
        let events = entries.map { entry in
            StreamedEvent(number: entry.position.number, topic: entry.app.description, text: entry.text(at: address))
        }
        state.withLock { state in
            state.recent += zip(events, entries).map { (event: $0, tag: $1.position.tag) }
            if state.recent.count > Self.limit { state.recent.removeFirst(state.recent.count - Self.limit) }
            state.advance(to: last.position)
        }
        return events
    }

    /// Continues from a position that does not follow the last one.
    /// - Parameter endStreams: ends the open streams. It is called before waiting requests continue, so that streams opened at the new
    ///   position are not ended, too.
    package func restart(at position: StreamPosition, endStreams: () -> Void = {}) {
        state.withLock { state in
            state.recent = []
            state.era += 1
        }
        endStreams()
        state.withLock { $0.advance(to: position) }
    }

    /// The newest events, until the next restart.
    var recent: any RecentEvents { Recent(live: self, era: state.withLock { $0.era }) }

    private struct Recent: RecentEvents {
        let live: LiveEvents
        let era: Int

        var isCurrent: Bool { live.state.withLock { $0.era == era } }

        func events(after number: Int64) -> (events: [StreamedEvent], position: Int64)? {
            live.state.withLock { state in
                guard state.era == era else { return nil }
                let position = state.position.number
                guard number < position else { return ([], number) }
                guard let first = state.recent.first, first.event.number <= number + 1 else { return nil }
                return (state.recent.map(\.event).filter { $0.number > number }, position)
            }
        }
    }

    /// Waits until the entry with that number is served.
    /// - Returns: false on timeout.
    func wait(for number: Int64, atMost limit: DispatchTimeInterval) -> Bool {
        let semaphore: DispatchSemaphore? = state.withLock { state in
            guard state.position.number < number else { return nil }
            let waiter = Waiter(number: number, semaphore: DispatchSemaphore(value: 0))
            state.waiters.append(waiter)
            return waiter.semaphore
        }
        guard let semaphore, semaphore.wait(timeout: .now() + limit) == .timedOut else { return true }
        return state.withLock { state in
            state.waiters.removeAll { $0.semaphore === semaphore }
            return state.position.number >= number
        }
    }
}

/// Events in the format of server-sent events (WHATWG HTML, section 9.2).
enum EventText {
    /// How long a client waits before it reconnects, in milliseconds.
    static let retry = Array("retry: 3000\n\n".utf8)

    static func event(_ name: String, id: StreamPosition, data: JSON) -> [UInt8] {
        // JSON has line feeds only inside strings, which escape them, so the data is one line.
        Array("id: \(id)\nevent: \(name)\ndata: ".utf8) + data.encoded + Array("\n\n".utf8)
    }

    /// The revisions of the apps at a position; null for an app that does not exist.
    /// - Parameter isResync: whether the client's last event is unknown, so that it may have missed any change.
    static func state(of names: [String], _ revisions: [AppID: Int64], at position: StreamPosition, isResync: Bool) -> [UInt8] {
        let apps = names.sorted().map { name in
            let revision = AppID(name).flatMap { revisions[$0] }
            return JSON.Member(Text(name), revision.map { ["revision": .integer($0)] } ?? .null)
        }
        let data: JSON = ["apps": .object(apps), "resync": isResync ? true : nil]
        return event("state", id: position, data: data)
    }

    /// For a client that resumes from a position: the app does not exist.
    static func deleted(_ name: String, at position: StreamPosition) -> [UInt8] {
        event("deleted", id: position, data: ["app": .string(name)])
    }
}

extension EventText {
    /// The last event of a stream of the admin plane. It has no id, because it is not part of the journal.
    static func ended(_ reason: String) -> String {
        let data: JSON = ["reason": .string(reason)]
        return "event: ended\ndata: \(String(decoding: data.encoded, as: UTF8.self))\n\n"
    }
}

extension StreamEntry {
    func text(at address: PublicAddress) -> [UInt8] { EventText.event(event, id: position, data: json(at: address)) }
}
