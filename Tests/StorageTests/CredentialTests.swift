import QuickActions
import Shortcuts
import Synchronization
import Testing

@testable import Storage

@Suite(.eachEngine, .namingEngine) struct CredentialTests {
    private func token(_ id: TokenID) -> Token {
        Token(id: id, name: "Ana \(id)", role: .editor, scope: .all, createdAt: 7, expiresAt: nil, hash: sha256(Array("lp_\(id)".utf8)))
    }

    private func session(_ secret: UInt8, of owner: Session.Owner) -> Session {
        NewSession(of: owner, secretBytes: Array(repeating: secret, count: 32), tokenExpiresAt: nil, at: 1000).session
    }

    @Test func `what was revoked or ended is not there any more, on any node`() throws {
        let bench = try Workbench()
        let store = bench.store
        for id in ["t", "u"] as [TokenID] { try store.createToken(token(id), by: author()) }
        let sessions = [session(1, of: .token("t")), session(2, of: .token("u")), session(3, of: .configured([7]))]
        for session in sessions { try store.createSession(session, replacing: nil, by: author()) }
        let all = Set([Credential.token("t"), .token("u")] + sessions.map { .session($0.hash) })
        let other = try bench.reopened()
        #expect(try store.existing(all.union([.token("none"), .session([1])])) == all)
        #expect(try store.existing([]) == [])
        try store.revokeToken("t", by: author())
        try store.endSession(hash: sessions[2].hash, by: author())
        for store in [store, other] { #expect(try store.existing(all) == [.token("u"), .session(sessions[1].hash)]) }
    }

    @Test func `as many are looked for as there are`() throws {
        let store = try Workbench().store
        let ids = (0..<700).map { TokenID("t\($0)") }
        for id in ids.suffix(3) { try store.createToken(token(id), by: author()) }
        #expect(try store.existing(Set(ids.map(Credential.token))) == Set(ids.suffix(3).map(Credential.token)))
    }

    @Test func `a commit that ends one says so`() throws {
        let store = try Workbench().store
        let count = Atomic(0)
        let observation = store.observe { changes in
            for case .credentials in changes { count.add(1, ordering: .relaxed) }
        }
        let (first, second) = (session(1, of: .token("t")), session(2, of: .token("t")))
        try store.createToken(token("t"), by: author())
        try store.createSession(first, replacing: nil, by: author())
        #expect(count.load(ordering: .relaxed) == 0)
        try store.createSession(second, replacing: first.hash, by: author())
        #expect(count.load(ordering: .relaxed) == 1)
        try store.endSession(hash: second.hash, by: author())
        try store.endSession(hash: second.hash, by: author())
        #expect(count.load(ordering: .relaxed) == 2)
        try store.revokeToken("t", by: author())
        #expect(count.load(ordering: .relaxed) == 3)
        withExtendedLifetime(observation) {}
    }
}
