import HTTP
import QuickActions
import Shortcuts
import Testing

@testable import API

@Suite struct AuthenticatorTests {
    private struct StoppedClock: WallClock {
        let time: Timestamp
        func now() -> Timestamp { time }
    }

    /// A store with one token.
    private struct OneToken: TokenStore {
        let token: Token

        func tokens(_ page: PageRequest, within scope: Scope) -> Page<Token> { Page(items: [token], next: nil) }
        func tokens(hashPrefix: [UInt8]) -> [Token] { token.hash.starts(with: hashPrefix) ? [token] : [] }
        func token(_ id: TokenID) -> Token? { token }
        func hasTokens() -> Bool { true }
        func createToken(_ token: Token, by author: Author) {}
        func revokeToken(_ id: TokenID, by author: Author) {}
    }

    private func identify(expiresAt: Int64?, at now: Int64, sending secret: String = "lp_secret") throws -> Identity {
        let token = Token(
            id: "t", name: "ci", role: .editor, scope: .all, createdAt: Timestamp(milliseconds: 0),
            expiresAt: expiresAt.map { Timestamp(milliseconds: $0) }, hash: sha256(Array("lp_secret".utf8)))
        let authenticator = Authenticator(
            tokens: OneToken(token: token), configuredToken: nil, clock: StoppedClock(time: Timestamp(milliseconds: now)))
        var subject = Refusal.Subject()
        return try authenticator.authenticate(try Request(.get, "/", fields: ["Authorization": "Bearer \(secret)"]), &subject)
    }

    @Test(arguments: [(nil, 5000), (5001, 5000)] as [(Int64?, Int64)])
    func `accepts a token that has not expired`(expiresAt: Int64?, now: Int64) throws {
        #expect(try identify(expiresAt: expiresAt, at: now).name == "ci")
    }

    @Test(arguments: [5000, 5001, 9_000_000] as [Int64])
    func `refuses a token from its expiry on, and says so`(now: Int64) throws {
        let refusal = try #require(throws: Failure.self) { try identify(expiresAt: 5000, at: now) }
        #expect(refusal.code == .unauthenticated)
        #expect(refusal.detail.hasPrefix("The token \"ci\" expired at 1970-01-01T00:00:05Z: "))
    }

    @Test func `reports the expiry only to a sender with the whole secret`() throws {
        let refusal = try #require(throws: Failure.self) { try identify(expiresAt: 5000, at: 6000, sending: "lp_other") }
        #expect(refusal.code == .unauthenticated && !refusal.detail.contains("expired"))
    }
}
