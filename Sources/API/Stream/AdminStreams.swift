import HTTP
import QuickActions
import Shortcuts
import Synchronization

/// The open streams of the admin plane, each with its credentials. Any thread may call its functions.
package final class AdminStreams: Sendable {
    /// Streams of one session, and of one token together with its sessions.
    static let (sessionLimit, tokenLimit) = (16, 128)

    /// Why a stream ends.
    package enum End: String, CaseIterable, Sendable {
        case tokenRevoked = "token-revoked"
        case sessionEnded = "session-ended"
        case expired
        /// The roles of people, or the header that names them, have changed.
        case rightsChanged = "rights-changed"
    }

    /// A limit of open streams, and the key that counts towards it.
    fileprivate struct Share {
        let key: String
        let limit: Int
        /// For the error message.
        let noun: String
    }

    /// The credentials of one stream.
    fileprivate final class Entry: Sendable {
        let identity: Identity
        /// Nil for the configured token and for people, whose streams end with the settings.
        let token: TokenID?
        /// The hash of the session.
        let session: [UInt8]?
        let expiresAt: Timestamp?
        fileprivate let shares: [Share]
        private let end = Mutex<End?>(nil)

        init(_ identity: Identity) {
            self.identity = identity
            if case .token(let id) = identity.owner { token = id } else { token = nil }
            session = identity.session?.hash
            expiresAt = [identity.session?.expiresAt, identity.expiresAt].compactMap(\.self).min()
            let ofToken = Share(key: "token \(identity.id)", limit: tokenLimit, noun: "token")
            shares = [ofToken] + (session.map { [Share(key: "session \($0)", limit: sessionLimit, noun: "session")] } ?? [])
        }

        var credentials: [Credential] { [token.map(Credential.token), session.map(Credential.session)].compactMap(\.self) }

        /// Why the stream must end; nil while it may be read.
        var ending: End? { end.withLock(\.self) }

        func end(_ end: End) { self.end.withLock { $0 = $0 ?? end } }

        /// Why the stream must end if only `existing` of its credentials are left; nil if it may stay open.
        func end(leaving existing: Set<Credential>) -> End? {
            if let token, !existing.contains(.token(token)) { return .tokenRevoked }
            if let session, !existing.contains(.session(session)) { return .sessionEnded }
            return nil
        }
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        /// The number of streams by key.
        var counts: [String: Int] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    package var isEmpty: Bool { state.withLock(\.entries.isEmpty) }

    /// Retained by its stream. Releasing it makes room for another stream.
    final class Access: StreamAccess {
        private let entry: Entry
        private let streams: AdminStreams

        fileprivate init(_ entry: Entry, in streams: AdminStreams) {
            (self.entry, self.streams) = (entry, streams)
        }

        var farewell: String? { entry.ending.map { EventText.ended($0.rawValue) } }

        deinit { streams.remove(entry) }
    }

    /// Registers a new stream. Later revocations end it. The caller must check the credentials once more afterwards, to find earlier
    /// revocations.
    /// - Throws: `tooManyRequests`.
    func newAccess(of identity: Identity) throws(Failure) -> Access {
        let entry = Entry(identity)
        let full: Share? = state.withLock { state in
            if let full = entry.shares.first(where: { state.counts[$0.key, default: 0] >= $0.limit }) { return full }
            for share in entry.shares { state.counts[share.key, default: 0] += 1 }
            state.entries[ObjectIdentifier(entry)] = entry
            return nil
        }
        if let full {
            throw Failure(
                .tooManyRequests, "This \(full.noun) has \(full.limit) streams open, which is the limit. Close one of them first.",
                retryAfter: 5)
        }
        return Access(entry, in: self)
    }

    private func remove(_ entry: Entry) {
        state.withLock { state in
            state.entries[ObjectIdentifier(entry)] = nil
            for share in entry.shares {
                let count = state.counts[share.key, default: 1] - 1
                state.counts[share.key] = count > 0 ? count : nil
            }
        }
    }

    private var open: [Entry] { state.withLock { Array($0.entries.values) }.filter { $0.ending == nil } }

    /// Marks the streams whose session or token has expired.
    /// - Returns: whether there are any. Then the server must end them.
    package func endExpired(at now: Timestamp) -> Bool {
        let expired = open.filter { entry in entry.expiresAt.map { $0 <= now } ?? false }
        for entry in expired { entry.end(.expired) }
        return !expired.isEmpty
    }

    /// Marks the streams whose rights have changed with the settings.
    /// - Returns: whether there are any.
    package func endOutdated(by authenticator: Authenticator) -> Bool {
        let outdated = open.filter { !authenticator.isCurrent($0.identity) }
        for entry in outdated { entry.end(entry.identity.isConfigured ? .tokenRevoked : .rightsChanged) }
        return !outdated.isEmpty
    }

    /// Marks the streams whose session or token is no longer in the store, with one query for all of them.
    /// - Returns: whether there are any.
    package func endRevoked(by store: any CredentialStore) throws(Failure) -> Bool {
        let open = open
        let credentials = Set(open.flatMap(\.credentials))
        guard !credentials.isEmpty else { return false }
        let existing = try store.existing(credentials)
        var hasEnded = false
        for entry in open {
            guard let end = entry.end(leaving: existing) else { continue }
            entry.end(end)
            hasEnded = true
        }
        return hasEnded
    }
}

/// The parts that the admin plane needs to open streams.
package struct AdminStreaming: Sendable {
    let opener: StreamOpener
    let streams: AdminStreams
    /// Starts to check the streams, for as long as any are open.
    let watch: @Sendable () -> Void

    package init(_ opener: StreamOpener, _ streams: AdminStreams, watch: @escaping @Sendable () -> Void) {
        (self.opener, self.streams, self.watch) = (opener, streams, watch)
    }
}
