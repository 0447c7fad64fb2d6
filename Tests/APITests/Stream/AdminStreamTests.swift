import HTTP
import QuickActions
import Shortcuts
import Testing

@testable import API

/// The streams of the admin plane, and what ends them.
@Suite struct AdminStreamTests {
    private func identity(
        _ token: TokenID = "t", session: UInt8? = nil, isConfigured: Bool = false, expiresAt: Timestamp? = nil
    ) -> Identity {
        let owner: Session.Owner = isConfigured ? .configured([0]) : .token(token)
        var identity = Identity(
            id: token, name: "Ana", role: .reader, scope: .all, expiresAt: expiresAt, person: TokenOwner("Ana"), owner: owner)
        identity.session = session.map { Session(hash: [$0], owner: owner, createdAt: time(0), expiresAt: expiresAt ?? time(100)) }
        return identity
    }

    private struct Remaining: CredentialStore {
        var credentials: Set<Credential> = []

        func existing(_ asked: Set<Credential>) throws(Failure) -> Set<Credential> { asked.intersection(credentials) }
    }

    private struct Unreachable: CredentialStore {
        func existing(_ credentials: Set<Credential>) throws(Failure) -> Set<Credential> { throw Failure(.storageUnavailable, "Away.") }
    }

    private func reason(_ access: AdminStreams.Access) -> String? {
        access.farewell.map { String($0.split(separator: "\"").dropLast().last ?? "") }
    }

    @Test(arguments: [
        ([Credential.token("t"), .session([1])], nil as String?, nil as String?),
        ([.session([1])], "token-revoked", "token-revoked"),
        ([.token("t")], nil, "session-ended"),
        ([], "token-revoked", "token-revoked"),
    ])
    func `what is removed from the store ends its streams`(
        _ left: [Credential], _ ofToken: String?, _ ofSession: String?
    ) throws {
        let streams = AdminStreams()
        let (token, session) = (try streams.newAccess(of: identity()), try streams.newAccess(of: identity(session: 1)))
        let configured = try streams.newAccess(of: identity("admin-token", isConfigured: true))
        #expect(try streams.endRevoked(by: Remaining(credentials: Set(left))) == (ofSession != nil))
        #expect((reason(token), reason(session), configured.farewell) == (ofToken, ofSession, nil))
        // Each is ended once.
        #expect(try streams.endRevoked(by: Remaining(credentials: Set(left))) == false)
    }

    @Test func `the last words are an event without an id`() throws {
        let streams = AdminStreams()
        let access = try streams.newAccess(of: identity())
        _ = try streams.endRevoked(by: Remaining())
        #expect(access.farewell == "event: ended\ndata: {\"reason\":\"token-revoked\"}\n\n")
    }

    @Test func `a session of the configured token is ended by itself alone`() throws {
        let streams = AdminStreams()
        let access = try streams.newAccess(of: identity("admin-token", session: 1, isConfigured: true))
        #expect(try streams.endRevoked(by: Remaining(credentials: [.session([1])])) == false)
        #expect(try streams.endRevoked(by: Remaining()))
        #expect(reason(access) == "session-ended")
    }

    @Test func `what has expired ends without the store`() throws {
        let streams = AdminStreams()
        let (token, session) = (try streams.newAccess(of: identity(expiresAt: time(50))), try streams.newAccess(of: identity(session: 1)))
        let endless = try streams.newAccess(of: identity("u"))
        #expect(!streams.endExpired(at: time(49)))
        #expect(streams.endExpired(at: time(50)) && (reason(token), session.farewell) == ("expired", nil))
        #expect(streams.endExpired(at: time(100)) && reason(session) == "expired")
        #expect(!streams.endExpired(at: time(200)) && endless.farewell == nil)
        #expect(throws: Failure.self) { try streams.endRevoked(by: Unreachable()) }
        #expect(endless.farewell == nil)
    }

    @Test func `a session has so many streams, a token so many with its sessions`() throws {
        let streams = AdminStreams()
        var open: [AdminStreams.Access] = []
        func fails(_ identity: Identity) -> Bool {
            do throws(Failure) {
                open.append(try streams.newAccess(of: identity))
                return false
            } catch {
                return error.code == .tooManyRequests && error.retryAfter == 5
            }
        }
        for session in 0..<UInt8(AdminStreams.tokenLimit / AdminStreams.sessionLimit) {
            for _ in 0..<AdminStreams.sessionLimit { #expect(!fails(identity(session: session))) }
            #expect(fails(identity(session: session)))
        }
        #expect(fails(identity()) && fails(identity(session: 99)) && !fails(identity("u", session: 100)))
        open.removeFirst()
        #expect(fails(identity(session: 1)) && !fails(identity(session: 0)) && fails(identity()))
        open.removeAll()
        #expect(streams.isEmpty && !fails(identity()))
    }

    @Test func `streams end with what the settings gave them`() throws {
        let bench = try AdminBench()
        let answers = try [bench.tokens[.reader], "lp_first"].map { try bench.ask(.get, "/stream", by: $0) }
        #expect(!bench.streams.endOutdated(by: bench.authenticator))
        bench.authenticator.configure(token: "lp_second", proxySignIn: nil)
        #expect(bench.streams.endOutdated(by: bench.authenticator) && !bench.streams.endOutdated(by: bench.authenticator))
        #expect(answers.map { $0.stream?.access?.farewell?.contains("token-revoked") } == [nil, true])
        #expect(try bench.ask(.get, "/stream", by: "lp_first").status == .unauthorized)
    }

    @Test func `a stream is registered for as long as its response is there`() throws {
        let bench = try AdminBench()
        var answers = [try bench.ask(.get, "/stream?app={app}", by: bench.tokens[.reader]), try bench.ask(.get, "/stream", by: "lp_first")]
        #expect(answers.allSatisfy { $0.status == .ok && $0.stream?.access?.farewell == nil } && !bench.streams.isEmpty)
        #expect(answers.map { $0.stream?.topics } == [["com.example.notes"], []])
        #expect(try !bench.endRevoked())
        answers = []
        #expect(bench.streams.isEmpty)
    }

    @Test(arguments: ["/stream?app=com.example.none", "/stream?app={app}&colour=red", "/stream?app=a%20b"])
    func `a refusal registers nothing`(_ path: String) throws {
        let bench = try AdminBench()
        let answer = try bench.ask(.get, path, by: bench.tokens[.reader])
        #expect(answer.stream == nil && answer.problem != nil && bench.streams.isEmpty)
    }

    @Test func `a stream is not acceptable as anything else`() throws {
        let bench = try AdminBench()
        for path in ["/stream", "/stream?app={app}"] {
            let answer = try bench.ask(.get, path, nil, ["Authorization": "Bearer lp_first", "Accept": "application/json"])
            #expect(answer.problem == "not-acceptable")
        }
    }
}

private func time(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }
