import Foundation
import Shortcuts
import Testing

@testable import Storage

@Suite(.eachEngine, .namingEngine) struct TokenTests {
    @Test func `a token is found by the first eight bytes of its hash until it is revoked`() throws {
        let store = try Workbench().store
        #expect(try !store.hasTokens())
        let hash = sha256(Array("lp_secret".utf8))
        let scope = Scope.apps([try appID("b"), try appID("a")])
        try store.createToken(
            Token(id: "t", name: "CI", role: .publisher, scope: scope, createdAt: 7, expiresAt: 9, hash: hash), by: author())
        #expect(try store.hasTokens())
        let found = try #require(try store.tokens(hashPrefix: Array(hash.prefix(8))).first)
        #expect(
            (found.id, found.name, found.role, found.scope, found.createdAt, found.hash) == (
                "t", "CI", .publisher, scope, 7, hash
            ))
        #expect(found.expiresAt == 9)
        #expect(try store.tokens(hashPrefix: Array(repeating: 0, count: 8)).isEmpty)
        #expect(try store.token("t")?.name == "CI")
        try store.revokeToken("t", by: author())
        #expect(try store.tokens(hashPrefix: Array(hash.prefix(8))).isEmpty)
        #expect(failureCode { try store.revokeToken("t", by: author()) } == .unknownResource)
        #expect(try store.audit(PageRequest(), within: .all).items.map(\.action) == [.tokenRevoked, .tokenCreated])
    }
}
