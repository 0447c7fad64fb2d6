import API
import HTTP
import HTTPServer
import Logging
import Shortcuts
import Synchronization
import Threads

/// What keeps the streams open.
protocol StreamServer: Sendable {
    func send(_ events: [StreamedEvent])
    func restartStreams()
    func endStreamsWithoutAccess()
}

extension HTTPServer: StreamServer {}

/// Follows the journal of changes: publishes each entry to the streams once this process serves the change.
///
/// Observers of the store say what was committed, in commit order and after the caches were told (`Service`). The entries themselves are
/// read from the journal, on a thread of its own, and only while somebody wants them.
final class StreamFeed: StreamNews {
    private enum News {
        /// Entries up to the one with this tag are served.
        case entries(upTo: String)
        /// Nobody knows which are.
        case anything
    }

    private static let batch = 500
    /// Entries that are kept while the announced one is looked for: more than `LiveEvents` does.
    private static let longestGap = 2000
    private static let retryDelay = Duration.seconds(1)

    let live = LiveEvents()
    private let store: any StreamStore
    private let server: any StreamServer
    private let address: PublicAddress
    private let checkForCommits: @Sendable () -> Void
    private let dropAnswers: @Sendable () -> Void
    private let logger: Logger
    private let news = Mutex<News?>(nil)
    private let isScheduled = Atomic(false)
    /// Whether the last reading failed: that is logged once.
    private let isFailing = Atomic(false)
    private let thread: SerialThread

    /// - Parameters:
    ///   - checkForCommits: has the observers called for what other processes have committed.
    ///   - dropAnswers: makes this process serve everything that was committed before the call.
    init(
        of store: any StreamStore, to server: any StreamServer, at address: PublicAddress, on thread: SerialThread, logger: Logger,
        checkForCommits: @escaping @Sendable () -> Void, dropAnswers: @escaping @Sendable () -> Void
    ) {
        self.store = store
        self.server = server
        self.address = address
        self.thread = thread
        self.logger = logger
        self.checkForCommits = checkForCommits
        self.dropAnswers = dropAnswers
    }

    /// Begins behind what was committed so far. Called before anything is served and cached, and after the store is observed.
    func start() throws(Failure) { live.restart(at: try store.streamPosition()) }

    /// The journal's entries up to the one with this tag are served.
    func advance(to tag: String) {
        news.withLock { news in
            // Where anything may have changed, that is looked into first, and finds this entry too.
            if case .anything = news { return }
            news = .entries(upTo: tag)
        }
        if live.isWanted { wake() }
    }

    /// Anything may have changed, and `dropAnswers` was called.
    func advanceAnywhere() {
        news.withLock { $0 = .anything }
        if live.isWanted { wake() }
    }

    func catchUp() {
        checkForCommits()
        wake()
    }

    func wake() {
        guard !isScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
        thread.run { [weak self] in
            guard let self else { return }
            isScheduled.store(false, ordering: .releasing)
            follow()
        }
    }

    /// Returns once what was announced before this call has been looked at, if anybody wants it.
    func waitUntilIdle() { thread.runAndWait {} }

    private func follow() {
        let announced = news.withLock { news in
            defer { news = nil }
            return news
        }
        guard let announced else { return }
        do throws(Failure) {
            switch announced {
            case .entries(let tag): try publish(upTo: tag)
            case .anything: try publishAll()
            }
            isFailing.store(false, ordering: .relaxed)
        } catch {
            if !isFailing.exchange(true, ordering: .relaxed) {
                logger.warning("streams wait for the store", metadata: ["cause": "\(error.cause ?? error.detail)"])
            }
            news.withLock { news in
                if news == nil { news = announced } else { news = .anything }
            }
            thread.run(after: Self.retryDelay, for: self) { [weak self] in self?.follow() }
        }
    }

    /// Entries behind the announced one wait until they are announced, too: this process may not serve them yet.
    private func publish(upTo tag: String) throws(Failure) {
        guard !live.hasRecent(tag: tag) else { return }
        var (position, waiting) = (live.position, [StreamEntry]())
        while let entries = try store.streamEntries(after: position, limit: Self.batch) {
            if let index = entries.firstIndex(where: { $0.position.tag == tag }) { return publish(waiting + entries[...index]) }
            // Not there: the commit failed after all, or it is one that `publishAll` has told of.
            guard let last = entries.last, entries.count == Self.batch else { break }
            waiting = (waiting + entries).suffix(Self.longestGap)
            position = last.position
        }
        try publishAll()
    }

    /// Publishes all entries that are committed by now. What is committed before the answers are dropped is served afterwards.
    private func publishAll() throws(Failure) {
        let target = try store.streamPosition()
        dropAnswers()
        var (position, waiting) = (live.position, [StreamEntry]())
        while position != target {
            guard position.number < target.number, let entries = try store.streamEntries(after: position, limit: Self.batch),
                let last = entries.last
            else { return restart(at: target) }
            waiting = (waiting + entries.filter { $0.position.number <= target.number }).suffix(Self.longestGap)
            position = last.position.number > target.number ? target : last.position
        }
        publish(waiting)
    }

    private func publish(_ entries: [StreamEntry]) {
        guard let first = entries.first, let last = entries.last else { return }
        // Only where nobody has wanted them for long.
        guard first.position.number == live.position.number + 1 else { return restart(at: last.position) }
        server.send(live.publish(entries, at: address))
    }

    /// The journal does not go on from where this process was: a copy was put back, or it was away for longer than entries are kept. Clients
    /// come back, and are told what they missed or that it cannot be told.
    private func restart(at position: StreamPosition) {
        live.restart(at: position) { server.restartStreams() }
    }
}
