import API
import Platform
import QuickActions
import Shortcuts
import Synchronization

/// Ends the streams of the admin plane whose token or session has ended. It acts at once when the store reports a revocation. While there
/// are such streams, it also checks every second, to find expired credentials and silent changes by other processes.
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

    /// Called when a stream was opened.
    func watch() {
        guard !isWatching.exchange(true, ordering: .sequentiallyConsistent) else { return }
        checkLater()
    }

    /// Called when a token or a session has ended.
    func wake() {
        guard !streams.isEmpty else { return }
        thread.run { [weak self] in self?.check() }
    }

    /// Called when the settings of the authenticator have changed.
    func endOutdated(by authenticator: Authenticator) {
        if streams.endOutdated(by: authenticator) { server.endStreamsWithoutAccess() }
    }

    private func checkLater() {
        thread.run(after: Self.interval, for: self) { [weak self] in
            guard let self else { return }
            check()
            guard streams.isEmpty else { return checkLater() }
            isWatching.store(false, ordering: .sequentiallyConsistent)
            // A stream that was opened before the line above is not watched yet.
            if !streams.isEmpty { watch() }
        }
    }

    private func check() {
        let hasExpired = streams.endExpired(at: clock.now())
        // If the store does not answer, nothing counts as revoked. The next check asks again.
        let hasRevoked = (try? streams.endRevoked(by: store)) ?? false
        if hasExpired || hasRevoked { server.endStreamsWithoutAccess() }
    }
}
