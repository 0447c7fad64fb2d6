import QuickActions
import Shortcuts
import Testing

@testable import Storage

@Suite(.eachEngine, .namingEngine) struct SessionTests {
    private func token(_ id: TokenID) -> Token {
        Token(
            id: id, name: id == "t" ? "Ana" : "Ana \(id)", role: .editor, scope: .all, createdAt: 7, expiresAt: nil,
            hash: sha256(Array("lp_\(id)".utf8)))
    }

    private func session(_ secret: UInt8 = 1, of owner: Session.Owner = .token("t"), at time: Timestamp = 1000) -> Session {
        NewSession(of: owner, secretBytes: Array(repeating: secret, count: 32), tokenExpiresAt: nil, at: time).session
    }

    @Test func `a session is found with its token by its hash, until it is ended`() throws {
        let bench = try Workbench()
        let session = session()
        try bench.store.createToken(token("t"), by: author())
        try bench.store.createSession(session, replacing: nil, by: author())
        // On another node, too.
        for store in [bench.store, try bench.reopened()] {
            let found = try #require(try store.session(hash: session.hash))
            #expect((found.session.owner, found.session.createdAt, found.session.expiresAt) == (.token("t"), 1000, 43_201_000))
            #expect((found.token?.id, found.token?.name, found.token?.role) == ("t", "Ana", .editor))
        }
        #expect(try bench.store.session(hash: sha256([])) == nil)
        try bench.store.endSession(hash: session.hash, by: author())
        try bench.store.endSession(hash: session.hash, by: author())
        #expect(try bench.store.session(hash: session.hash) == nil)
        let actions = try bench.store.audit(PageRequest(), within: .all).items.map(\.action)
        #expect(actions == [.sessionEnded, .sessionCreated, .tokenCreated])
    }

    @Test func `sign-ins of one token and address are one audit entry an hour`() throws {
        let store = try Workbench().store
        try store.createToken(token("t"), by: author())
        func signIn(_ secret: UInt8, at milliseconds: Int64, by token: TokenID = "t", from address: String = "a") throws {
            let time = Timestamp(milliseconds: milliseconds)
            let author = Author(token: "Ana", tokenID: token, address: address, request: "r\(secret)", at: time)
            let session = session(secret, at: time)
            try store.createSession(session, replacing: nil, by: author)
            #expect(try store.session(hash: session.hash) != nil)
            try store.endSession(hash: session.hash, by: author)
        }
        try signIn(1, at: 1000)
        try signIn(2, at: 3_600_999)
        try signIn(3, at: 3_600_999, from: "b")
        try signIn(4, at: 3_600_999, by: "u")
        try signIn(5, at: 3_601_000)
        let entries = try store.audit(PageRequest(), within: .all).items
        for action in [AuditEntry.Action.sessionCreated, .sessionEnded] {
            #expect(Set(entries.filter { $0.action == action }.map(\.author.request)) == ["r1", "r3", "r4", "r5"])
        }
    }

    @Test func `the sessions of a token are removed with it`() throws {
        let store = try Workbench().store
        let (one, two, other) = (session(1), session(2), session(3, of: .token("u")))
        for id in ["t", "u"] as [TokenID] { try store.createToken(token(id), by: author()) }
        for session in [one, two, other] { try store.createSession(session, replacing: nil, by: author()) }
        try store.revokeToken("t", by: author())
        #expect(try store.session(hash: one.hash) == nil && store.session(hash: two.hash) == nil)
        #expect(try store.session(hash: other.hash) != nil)
        #expect(failureCode { try store.createSession(session(4), replacing: nil, by: author()) } == .unauthenticated)
        #expect(try store.count("sessions") == 1)
    }

    @Test func `a session of the configured token has no stored one`() throws {
        let store = try Workbench().store
        let digest = sha256(Array("configured".utf8))
        let session = session(of: .configured(digest))
        try store.createSession(session, replacing: nil, by: author())
        let found = try #require(try store.session(hash: session.hash))
        #expect(found.session.owner == .configured(digest) && found.token == nil)
    }

    @Test func `a session of a person has the address and the groups, and the person fifty of them`() throws {
        let store = try Workbench().store
        let (ana, again, ben) = (
            try #require(Person(address: "Ana@example.com", groups: "a,b")), try #require(Person(address: "ana@EXAMPLE.com")),
            try #require(Person(address: "ben@example.com"))
        )
        let (first, other) = (session(1, of: .person(ana), at: 500), session(2, of: .person(ben), at: 500))
        for session in [first, other] { try store.createSession(session, replacing: nil, by: author()) }
        let found = try #require(try store.session(hash: first.hash))
        #expect(found.session.owner == .person(ana) && found.token == nil)
        #expect(try store.session(hash: other.hash)?.session.owner == .person(ben))
        for secret in 0..<Store.maxSessionsOfToken {
            try store.createSession(session(UInt8(100 + secret), of: .person(again), at: 1000), replacing: nil, by: author())
        }
        #expect(try store.session(hash: first.hash) == nil && store.session(hash: other.hash) != nil)
    }

    @Test func `a token has fifty sessions: the next one ends the oldest`() throws {
        let store = try Workbench().store
        for id in ["t", "u"] as [TokenID] { try store.createToken(token(id), by: author()) }
        let other = session(255, of: .token("u"), at: 500)
        try store.createSession(other, replacing: nil, by: author())
        let sessions = (1...52).map { session(UInt8($0), at: Timestamp(milliseconds: 1000 + Int64($0))) }
        for session in sessions { try store.createSession(session, replacing: nil, by: author()) }
        let left = try sessions.map { try store.session(hash: $0.hash) != nil }
        #expect(left == [false, false] + Array(repeating: true, count: Store.maxSessionsOfToken))
        #expect(try store.session(hash: other.hash) != nil)
    }

    @Test func `the session that a browser had ends with the next sign-in`() throws {
        let store = try Workbench().store
        try store.createToken(token("t"), by: author())
        let (previous, next) = (session(1), session(2))
        try store.createSession(previous, replacing: nil, by: author())
        try store.createSession(next, replacing: previous.hash, by: author())
        #expect(try store.session(hash: previous.hash) == nil && store.session(hash: next.hash) != nil)
    }

    @Test func `sessions are pruned once they have expired`() throws {
        let store = try Workbench().store
        try store.createToken(token("t"), by: author())
        for secret in UInt8(0)..<5 { try store.createSession(session(secret, at: 1000), replacing: nil, by: author()) }
        try store.createSession(session(9, at: 2000), replacing: nil, by: author())
        let end = session(at: 1000).expiresAt
        #expect(try store.prune(at: Timestamp(milliseconds: end.milliseconds - 1)).removed == 0)
        let first = try store.prune(at: end, limit: 3)
        #expect(first.removed == 3 && first.hasMore)
        #expect(try store.prune(at: end, limit: 3) == (2, false))
        #expect(try store.count("sessions") == 1)
    }
}
