import API
import QuickActions
import Shortcuts
import Synchronization
import Threads

/// Ends the streams of the admin plane whose token or session is over: at once where the store says that one was revoked or ended, and by
/// looking every second, while there are such streams, which finds what has expired and what another process did without a word.
final class StreamAccessMonitor: Sendable {
    private static let interval = Duration.seconds(1)

    let streams = AdminStreams()
    private let store: any CredentialStore
    private let server: any StreamServer
    private let clock: any WallClock
    private let thread: SerialThread
    private let isWatching = Atomic(false)

    init(over store: any CredentialStore, on thread: SerialThread, ending server: any StreamServer, clock: any WallClock) {
        self.store = store
        self.server = server
        self.clock = clock
        self.thread = thread
    }

    /// A stream was opened.
    func watch() {
        guard !isWatching.exchange(true, ordering: .sequentiallyConsistent) else { return }
        checkLater()
    }

    /// A token or a session has ended.
    func wake() {
        guard !streams.isEmpty else { return }
        thread.run { [weak self] in self?.check() }
    }

    /// The settings of the authenticator have changed.
    func endOutdated(by authenticator: Authenticator) {
        if streams.endOutdated(by: authenticator) { server.endStreamsWithoutAccess() }
    }

    private func checkLater() {
        thread.run(after: Self.interval, for: self) { [weak self] in
            guard let self else { return }
            check()
            guard streams.isEmpty else { return checkLater() }
            isWatching.store(false, ordering: .sequentiallyConsistent)
            // One that was opened before the line above has not been watched.
            if !streams.isEmpty { watch() }
        }
    }

    private func check() {
        let hasExpired = streams.endExpired(at: clock.now())
        // Without the store nothing is revoked and nothing is told; the next check asks again.
        let hasRevoked = (try? streams.endRevoked(by: store)) ?? false
        if hasExpired || hasRevoked { server.endStreamsWithoutAccess() }
    }
}
