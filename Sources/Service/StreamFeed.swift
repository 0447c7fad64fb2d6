import API
import HTTP
import HTTPServer
import Logging
import Platform
import Shortcuts
import Synchronization

/// The server of the open streams.
protocol StreamServer: Sendable {
    func send(_ events: [StreamedEvent])
    func restartStreams()
    func endStreamsWithoutAccess()
}

extension HTTPServer: StreamServer {}

/// Follows the journal of changes, and publishes each entry to the streams once this process serves the change.
///
/// Observers of the store report commits in commit order, after the caches were updated (`Service`). A separate thread reads the entries
/// from the journal, only while a stream is open.
final class StreamFeed: StreamNews {
    private enum News {
        /// The entries up to the one with this tag are served.
        case entries(upTo: String)
        /// It is unknown which entries are served.
        case anything
    }

    private static let batch = 500
    /// The most entries in memory while the announced entry is searched: more than `LiveEvents` has.
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
    /// Whether the last read failed. A failure is logged once.
    private let isFailing = Atomic(false)
    private let thread: SerialThread

    /// - Parameters:
    ///   - checkForCommits: calls the observers for the commits of other processes.
    ///   - dropAnswers: makes this process serve all commits up to the call.
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

    /// Starts after the last commit. Called before anything is served or cached, and after the store is observed.
    func start() throws(Failure) { live.restart(at: try store.streamPosition()) }

    /// Reports that the journal's entries up to the one with this tag are served.
    func advance(to tag: String) {
        news.withLock { news in
            // An open check for any change also finds this entry.
            if case .anything = news { return }
            news = .entries(upTo: tag)
        }
        if live.isWanted { wake() }
    }

    /// Reports that anything may have changed. `dropAnswers` was called.
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

    /// Returns after the announcements before this call were handled, if any stream is open.
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
                logger.warning("streams wait for the database", metadata: ["cause": "\(error.cause ?? error.detail)"])
            }
            news.withLock { news in
                if news == nil { news = announced } else { news = .anything }
            }
            thread.run(after: Self.retryDelay, for: self) { [weak self] in self?.follow() }
        }
    }

    /// Entries after the announced one wait for their own announcement, because this process may not serve them yet.
    private func publish(upTo tag: String) throws(Failure) {
        guard !live.hasRecent(tag: tag) else { return }
        var (position, waiting) = (live.position, [StreamEntry]())
        while let entries = try store.streamEntries(after: position, limit: Self.batch) {
            if let index = entries.firstIndex(where: { $0.position.tag == tag }) { return publish(waiting + entries[...index]) }
            // Not found: the commit failed, or `publishAll` has published the entry already.
            guard let last = entries.last, entries.count == Self.batch else { break }
            waiting = (waiting + entries).suffix(Self.longestGap)
            position = last.position
        }
        try publishAll()
    }

    /// Publishes all committed entries. Commits before the answers were dropped are served afterwards.
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
        // Only if no stream was open for a long time.
        guard first.position.number == live.position.number + 1 else { return restart(at: last.position) }
        server.send(live.publish(entries, at: address))
    }

    /// The journal does not continue from this process's position: a backup was restored, or the process was disconnected for longer than
    /// entries are kept. Clients reconnect and get the missed events or a full state.
    private func restart(at position: StreamPosition) {
        live.restart(at: position) { server.restartStreams() }
    }
}
