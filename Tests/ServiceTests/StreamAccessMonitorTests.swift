import HTTP
import Platform
import QuickActions
import Shortcuts
import Synchronization
import Testing

@testable import API
@testable import Service

/// When the open streams of the admin plane are checked.
@Suite struct StreamAccessMonitorTests {
    private final class Credentials: CredentialStore {
        private let state = Mutex<(there: Set<Credential>, reads: Int, isAway: Bool)>(([.token("t"), .token("u")], 0, false))

        var reads: Int { state.withLock(\.reads) }
        func remove(_ credential: Credential) { state.withLock { _ = $0.there.remove(credential) } }
        func set(isAway: Bool) { state.withLock { $0.isAway = isAway } }

        func existing(_ credentials: Set<Credential>) throws(Failure) -> Set<Credential> {
            let there = state.withLock { state in
                state.reads += 1
                return state.isAway ? nil : state.there
            }
            guard let there else { throw Failure(.storageUnavailable, "Away.") }
            return there.intersection(credentials)
        }
    }

    private final class Server: StreamServer {
        let ends = Atomic(0)

        func send(_ events: [StreamedEvent]) {}
        func restartStreams() {}
        func endStreamsWithoutAccess() { ends.add(1, ordering: .sequentiallyConsistent) }
    }

    private struct StoppedClock: WallClock {
        func now() -> Timestamp { Timestamp(milliseconds: 1000) }
    }

    private let credentials = Credentials()
    private let server = Server()
    private let thread = SerialThread("test", isBackground: false)
    private let monitor: StreamAccessMonitor

    init() {
        monitor = StreamAccessMonitor(over: credentials, on: thread, ending: server, clock: StoppedClock())
    }

    private func open(_ token: TokenID, expiresAt: Timestamp? = nil) throws -> AdminStreams.Access {
        let access = try monitor.streams.newAccess(
            of: Identity(
                id: token, name: "Ana", role: .reader, scope: .all, expiresAt: expiresAt, person: TokenOwner("Ana"),
                owner: .token(token)))
        monitor.watch()
        return access
    }

    private var ends: Int { server.ends.load(ordering: .sequentiallyConsistent) }

    private func eventually(_ check: () -> Bool) -> Bool {
        let deadline = ContinuousClock.now + .seconds(60)
        while !check() {
            guard ContinuousClock.now < deadline else { return false }
            thread.runAndWait {}
        }
        return true
    }

    @Test func `nothing is read while no stream is open`() throws {
        monitor.wake()
        thread.runAndWait {}
        #expect(credentials.reads == 0)
        var access: AdminStreams.Access? = try open("t")
        #expect(eventually { credentials.reads >= 1 } && access?.farewell == nil)
        access = nil
        let before = credentials.reads
        monitor.wake()
        thread.runAndWait {}
        #expect(credentials.reads == before)
    }

    @Test func `a commit has them looked at before the next second`() throws {
        let (ended, kept) = (try open("t"), try open("u"))
        credentials.remove(.token("t"))
        monitor.wake()
        thread.runAndWait {}
        #expect(ended.farewell != nil && kept.farewell == nil && ends == 1)
    }

    @Test func `they are looked at again and again, also after the store was away`() throws {
        let (ended, expired) = (try open("t"), try open("u", expiresAt: Timestamp(milliseconds: 1000)))
        credentials.set(isAway: true)
        #expect(eventually { credentials.reads >= 1 } && expired.farewell != nil && ended.farewell == nil)
        credentials.set(isAway: false)
        credentials.remove(.token("t"))
        #expect(eventually { ended.farewell != nil } && ends == 2)
    }

    @Test func `whoever comes after the last one has left is looked at, too`() throws {
        var access: AdminStreams.Access? = try open("t")
        #expect(eventually { credentials.reads >= 1 } && access?.farewell == nil)
        access = nil
        let next = try open("u")
        credentials.remove(.token("u"))
        #expect(eventually { next.farewell != nil } && ends == 1)
    }
}
