import Foundation
import QuickActions
import Shortcuts
import Testing

@testable import Storage

@Suite(.eachEngine, .namingEngine) struct TokenTests {
    @Test func `a token is found by the first eight bytes of its hash until it is revoked`() throws {
        let store = try Workbench().store
        #expect(try store.needsFirstToken())
        let hash = sha256(Array("lp_secret".utf8))
        let scope = Scope.apps([try appID("b"), try appID("a")])
        try store.createToken(
            Token(id: "t", name: "CI", role: .publisher, scope: scope, createdAt: 7, expiresAt: 9, hash: hash), by: author())
        #expect(try !store.needsFirstToken())
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

    private func token(_ id: TokenID, _ name: String, at time: Timestamp = 7) -> Token {
        Token(id: id, name: name, role: .publisher, scope: .all, createdAt: time, hash: sha256(Array(id.description.utf8)))
    }

    @Test func `no two tokens have one name, in whatever spelling`() throws {
        let store = try Workbench().store
        try store.createToken(token("a", "Zo\u{EB}"), by: author())
        for (number, name) in ["Zo\u{EB}", "ZOE\u{308}", "admin-token", "Admin-Token", "command-line"].enumerated() {
            #expect(failureCode { try store.createToken(token("b\(number)", name), by: author()) } == .conflict, "\(name)")
        }
        try store.createToken(token("c", "Zoe"), by: author())
        #expect(try store.count("tokens") == 2)
    }

    @Test func `the name of a revoked token rests for ninety days`() throws {
        let store = try Workbench().store
        try store.createToken(token("a", "ci"), by: author())
        try store.revokeToken("a", by: author(at: 1000))
        let end = Timestamp(milliseconds: 1000) + Token.nameRest
        #expect(
            failureCode { try store.createToken(token("b", "CI"), by: author(at: Timestamp(milliseconds: end.milliseconds - 1))) }
                == .conflict)
        try store.createToken(token("b", "CI"), by: author(at: end))
        #expect(try store.token("b")?.name == "CI")
    }

    @Test func `a first token gets another name while a previous one's rests`() throws {
        let store = try Workbench().store
        for (id, name) in [("a", "first-token"), ("b", "first-token-2"), ("c", "first-token-3")] as [(TokenID, String)] {
            #expect(try store.createFirstToken(token(id, "first-token"), by: author()))
            #expect(try store.token(id)?.name == name && store.token(id)?.owner == TokenOwner("first-token"))
            try store.revokeToken(id, by: author())
        }
    }

    @Test func `a first token is replaced as long as nobody has used it and it is alone`() throws {
        let store = try Workbench().store
        func first(_ id: TokenID) -> Token {
            Token(
                id: id, name: Token.firstName, role: .owner, scope: .all, createdAt: 7, expiresAt: 9000,
                hash: sha256(Array(id.description.utf8)), createdBy: Token.firstStart)
        }
        #expect(try store.createFirstToken(first("a"), by: author()) && store.createFirstToken(first("b"), by: author()))
        #expect(try store.tokens(PageRequest(), within: .all).items.map(\.id) == ["b"] && store.token("b")?.name == Token.firstName)
        try store.note(["b": TokenUse(at: 8, from: "")])
        #expect(try !store.needsFirstToken() && !store.createFirstToken(first("c"), by: author()))
        try store.revokeToken("b", by: author())
        #expect(try store.createFirstToken(first("d"), by: author()))
        try store.createToken(token("e", "e"), by: author())
        #expect(try !store.needsFirstToken() && !store.createFirstToken(first("f"), by: author()))
    }

    @Test func `tokens of one name are told apart at a start, and keep their owner`() throws {
        let store = try Workbench().store
        let names = ["ci", "CI", "ci-2", String(repeating: "x", count: 100), String(repeating: "x", count: 100)]
        for (number, name) in names.enumerated() {
            try store.createToken(token(TokenID("t\(number)"), "free\(number)", at: Timestamp(milliseconds: Int64(number))), by: author())
            // As an older program created it.
            _ = try store.database.write { connection throws(Failure) in
                try connection.execute("UPDATE tokens SET name = ?, owner = NULL WHERE id = ?", [.text(name), .text("t\(number)")])
            }
        }
        try store.renameDuplicateTokens()
        try store.renameDuplicateTokens()
        let found = try store.tokens(PageRequest(), within: .all).items
        #expect(found.map(\.name) == ["ci", "CI-3", "ci-2", names[3], String(repeating: "x", count: 98) + "-2"])
        #expect(found.map(\.owner.description) == names)
        let renamed = try store.audit(PageRequest(), within: .all).items.filter { $0.action == .tokenRenamed }
        #expect(renamed.map { $0.target?.id } == ["t4", "t1"])
        #expect(
            String(decoding: try #require(renamed.last).detail.json.encoded, as: UTF8.self)
                == #"{"before":{"name":"CI"},"after":{"name":"CI-3"}}"#)
    }

    @Test func `a use is recorded once for a token and hour`() throws {
        let store = try Workbench().store
        try store.createToken(Token(id: "t", name: "CI", role: .reader, scope: .all, createdAt: 7, hash: sha256([1])), by: author())
        #expect(try store.token("t")?.lastUse == nil)
        let hour: Int64 = 3_600_000
        for (at, address) in [(5 * hour + 9, "a"), (5 * hour + 10, "b"), (4 * hour, "c")] {
            try store.note(["t": TokenUse(at: Timestamp(milliseconds: at), from: address), "gone": TokenUse(at: 0, from: "d")])
        }
        #expect(try store.token("t")?.lastUse == TokenUse(at: Timestamp(milliseconds: 5 * hour), from: "a"))
        let next = TokenUse(at: Timestamp(milliseconds: 6 * hour), from: "e")
        try store.note(["t": next])
        #expect(try store.tokens(PageRequest(), within: .all).items.map(\.lastUse) == [next])
    }

    @Test func `tokens are counted that expire within a week and were made for longer`() throws {
        let store = try Workbench().store
        let day: Int64 = 86_400_000
        let lives: [(Int64, Int64?)] = [(0, nil), (0, 100), (0, 107), (0, 106), (0, 99), (95, 101), (20, 105)]
        for (index, life) in lives.enumerated() {
            let end = life.1.map { Timestamp(milliseconds: $0 * day + 1) }
            try store.createToken(
                Token(
                    id: TokenID("t\(index)"), name: "name \(index)", role: .reader, scope: .all,
                    createdAt: Timestamp(milliseconds: life.0 * day), expiresAt: end, hash: sha256(Array("\(index)".utf8))), by: author())
        }
        let now = Timestamp(milliseconds: 100 * day)
        #expect(try store.expiringTokens(at: now, maxAge: nil) == 3)
        // Those created at 0 have expired by then.
        #expect(try store.expiringTokens(at: now, maxAge: .seconds(90 * 86_400)) == 1)
        #expect(try store.expiringTokens(at: now, maxAge: .seconds(101 * 86_400)) == 5)
    }
}
