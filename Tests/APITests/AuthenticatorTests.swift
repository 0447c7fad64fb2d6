import HTTP
import QuickActions
import Shortcuts
import Synchronization
import Testing

@testable import API

@Suite struct AuthenticatorTests {
    private struct StoppedClock: WallClock {
        let time: Timestamp
        func now() -> Timestamp { time }
    }

    /// A store with one token and at most one session.
    private struct OneToken: TokenStore & SessionStore {
        let token: Token
        var session: Session?

        func session(hash: [UInt8]) -> (session: Session, token: Token?)? {
            guard let session, session.hash == hash else { return nil }
            return (session, session.owner == .token(token.id) ? token : nil)
        }
        func createSession(_ session: Session, replacing replaced: [UInt8]?, by author: Author) {}
        func endSession(hash: [UInt8], by author: Author) {}

        func tokens(_ page: PageRequest, within scope: Scope) -> Page<Token> { Page(whole: [token]) }
        func tokens(hashPrefix: [UInt8]) -> [Token] { token.hash.starts(with: hashPrefix) ? [token] : [] }
        func token(_ id: TokenID) -> Token? { token }
        func createToken(_ token: Token, by author: Author) {}
        func revokeToken(_ id: TokenID, by author: Author) {}
    }

    private func identify(
        expiresAt: Int64?, maxAge: Duration? = nil, lastUse: TokenUse? = nil, at now: Int64, sending secret: String = "lp_secret",
        noting noteUse: @escaping @Sendable (TokenID, TokenUse) -> Void = { _, _ in }
    ) throws -> Identity {
        let token = Token(
            id: "t", name: "ci", role: .editor, scope: .all, createdAt: Timestamp(milliseconds: 0),
            expiresAt: expiresAt.map { Timestamp(milliseconds: $0) }, hash: sha256(Array("lp_secret".utf8)),
            lastUse: lastUse)
        let authenticator = Authenticator(
            tokens: OneToken(token: token), configuredToken: nil, clock: StoppedClock(time: Timestamp(milliseconds: now)),
            maxTokenAge: maxAge,
            noteUse: noteUse)
        var subject = Refusal.Subject()
        return try authenticator.authenticate(try Request(.get, "/", fields: ["Authorization": "Bearer \(secret)"]), &subject)
    }

    /// Identifies the cookie of a session that was created at 1000.
    private func identify(
        sessionOf owner: Session.Owner = .token("t"), configured: String? = nil, tokenExpiresAt: Int64? = nil, at now: Int64,
        _ fields: (_ secret: String) -> Fields = { ["Host": "127.0.0.1:8080", "Cookie": "longpress=\($0)"] }
    ) throws -> Identity {
        let end = tokenExpiresAt.map { Timestamp(milliseconds: $0) }
        let token = Token(
            id: "t", name: "ana", role: .publisher, scope: .all, createdAt: Timestamp(milliseconds: 0), expiresAt: end,
            hash: sha256(Array("lp_secret".utf8)))
        let new = NewSession(of: owner, secretBytes: Array(0..<32), tokenExpiresAt: end, at: Timestamp(milliseconds: 1000))
        let authenticator = Authenticator(
            tokens: OneToken(token: token, session: new.session), configuredToken: configured,
            clock: StoppedClock(time: Timestamp(milliseconds: now)))
        var subject = Refusal.Subject()
        return try authenticator.authenticate(try Request(.get, "/", fields: fields(new.secret)), &subject)
    }

    /// An authenticator, and a session of a person in the group "mail".
    private func people(_ roles: SignInRoles) throws -> (authenticator: Authenticator, secret: String) {
        let person = try #require(Person(address: "ana@example.com", groups: "mail"))
        let new = NewSession(
            of: .person(person), secretBytes: Array(0..<32), tokenExpiresAt: nil, at: Timestamp(milliseconds: 1000))
        let token = Token(id: "t", name: "ci", role: .reader, scope: .all, createdAt: Timestamp(milliseconds: 0), hash: [])
        return (
            Authenticator(
                tokens: OneToken(token: token, session: new.session), configuredToken: nil, proxySignIn: try signIn(roles),
                clock: StoppedClock(time: Timestamp(milliseconds: 2000))), new.secret
        )
    }

    private func signIn(_ roles: SignInRoles) throws -> ProxySignIn {
        ProxySignIn(
            header: "X-Email", groupsHeader: "X-Groups", proxies: [try AddressBlock(parsing: "10.0.0.0/8")], roles: roles)
    }

    private func roles(_ entries: String) throws -> SignInRoles {
        try SignInRolesDocument(JSON(document: Array(#"{"roles": [\#(entries)]}"#.utf8))).checked()
    }

    @Test func `a person has the role of the moment, and none without one`() throws {
        let (authenticator, secret) = try people(try roles(#"{"group": "mail", "role": "editor", "apps": ["a"]}"#))
        func ask() throws -> Identity {
            var subject = Refusal.Subject()
            return try authenticator.authenticate(
                try Request(.get, "/", fields: ["Host": "localhost", "Cookie": "longpress=\(secret)"]), &subject)
        }
        let identity = try ask()
        #expect((identity.name, identity.id, identity.role) == ("ana@example.com", "person:ana@example.com", .editor))
        #expect(identity.person == TokenOwner("ANA@example.com") && identity.scope != .all && authenticator.isCurrent(identity))
        authenticator.configure(token: nil, proxySignIn: try signIn(try roles(#"{"address": "ana@example.com", "role": "reader"}"#)))
        #expect(try ask().role == .reader && !authenticator.isCurrent(identity))
        for left in [try signIn(try roles("")), nil] {
            authenticator.configure(token: nil, proxySignIn: left)
            #expect(#expect(throws: Failure.self) { try ask() }?.code == .unauthenticated && !authenticator.isCurrent(identity))
        }
    }

    @Test(arguments: [
        ("10.0.0.1", ["ANA@example.com"], true), ("10.0.0.1", [], true), ("192.0.2.1", ["eve@example.com"], true),
        ("10.0.0.1", ["eve@example.com"], false), ("10.0.0.1", [""], false), ("10.0.0.1", ["ana@example.com", "ana@example.com"], false),
        ("::ffff:10.0.0.1", ["ana@example.com,eve@example.com"], false),
    ])
    func `a proxy that names somebody else ends a person's session`(_ peer: String, _ named: [String], _ isTheirs: Bool) throws {
        let (authenticator, secret) = try people(try roles(#"{"group": "mail", "role": "editor"}"#))
        var fields: Fields = ["Host": "localhost", "Cookie": "longpress=\(secret)"]
        for name in named { fields.append("x-email", name) }
        let request = try Request(.get, "/", fields: fields, sender: Sender(address: peer))
        var subject = Refusal.Subject()
        if isTheirs {
            #expect(try authenticator.authenticate(request, &subject).role == .editor)
        } else {
            #expect(#expect(throws: Failure.self) { try authenticator.authenticate(request, &subject) }?.code == .unauthenticated)
        }
    }

    private static let twelveHours: Int64 = 12 * 3600 * 1000

    @Test func `a session has the rights of its token until twelve hours are over`() throws {
        let identity = try identify(at: 1000 + Self.twelveHours - 1)
        #expect((identity.name, identity.role) == ("ana", .publisher) && identity.session != nil)
        let refusal = try #require(throws: Failure.self) { try identify(at: 1000 + Self.twelveHours) }
        #expect(refusal.code == .unauthenticated && refusal.detail.hasPrefix("The session ended at "))
    }

    @Test func `a session ends with its token`() throws {
        #expect(try identify(tokenExpiresAt: 5000, at: 4999).name == "ana")
        let expired = try #require(throws: Failure.self) { try identify(tokenExpiresAt: 5000, at: 5000) }
        #expect(expired.code == .unauthenticated && expired.detail.contains("\"ana\" expired"))
        let revoked = try #require(throws: Failure.self) { try identify(sessionOf: .token("another"), at: 1001) }
        #expect(revoked.code == .unauthenticated)
    }

    @Test(arguments: ["another-token", nil])
    func `a session of the configured token is bound to that token`(_ configured: String?) throws {
        let owner = Session.Owner.configured(sha256(Array("one-token".utf8)))
        #expect(try identify(sessionOf: owner, configured: "one-token", at: 1001).name == "admin-token")
        let refusal = try #require(throws: Failure.self) { try identify(sessionOf: owner, configured: configured, at: 1001) }
        #expect(refusal.code == .unauthenticated)
    }

    @Test(
        arguments: [
            ("127.0.0.1:8080", "longpress", true), ("127.0.0.1:8080", "__Host-longpress", false), ("localhost", "longpress", true),
            ("menus.example.com", "__Host-longpress", true), ("menus.example.com", "longpress", false),
        ])
    func `the cookie's name depends on the host`(_ host: String, _ name: String, _ isKnown: Bool) throws {
        func ask() throws -> Identity { try identify(at: 1001) { ["Host": host, "Cookie": "a=b; \(name)=\($0); c=d"] } }
        if isKnown { #expect(try ask().name == "ana") } else { #expect(throws: Failure.self) { try ask() } }
    }

    @Test func `a token counts before a session, and two cookies are none`() throws {
        let local = ("Host", "localhost")
        let bearer = #expect(throws: Failure.self) {
            try identify(at: 1001) {
                Fields(dictionaryLiteral: local, ("Cookie", "longpress=\($0)"), ("Authorization", "Bearer lp_wrong"))
            }
        }
        #expect(bearer?.detail.contains("token is unknown") == true)
        let token = try identify(at: 1001) {
            Fields(dictionaryLiteral: local, ("Cookie", "longpress=\($0)"), ("Authorization", "Bearer lp_secret"))
        }
        #expect(token.session == nil)
        // From a proxy in front that requires a password.
        let basic = try identify(at: 1001) {
            Fields(dictionaryLiteral: local, ("Cookie", "longpress=\($0)"), ("Authorization", "Basic YTpi"))
        }
        #expect(basic.session != nil)
        for cookies in ["longpress=x; longpress=SECRET", "longpress=SECRET; longpress=x", "longpress=", "longpress", "xlongpress=SECRET"] {
            #expect(throws: Failure.self, "\(cookies)") {
                try identify(at: 1001) { Fields(dictionaryLiteral: local, ("Cookie", cookies.replacing("SECRET", with: $0))) }
            }
        }
    }

    @Test(arguments: [(nil, 5000), (5001, 5000)] as [(Int64?, Int64)])
    func `accepts a token that has not expired`(expiresAt: Int64?, now: Int64) throws {
        #expect(try identify(expiresAt: expiresAt, at: now).name == "ci")
    }

    @Test(arguments: [5000, 5001, 9_000_000] as [Int64])
    func `refuses a token from its expiry on, and says so`(now: Int64) throws {
        let refusal = try #require(throws: Failure.self) { try identify(expiresAt: 5000, at: now) }
        #expect(refusal.code == .unauthenticated)
        #expect(refusal.detail.hasPrefix("The token \"ci\" expired at 1970-01-01T00:00:05Z. "))
    }

    @Test func `reports the expiry only to a sender with the whole secret`() throws {
        let refusal = try #require(throws: Failure.self) { try identify(expiresAt: 5000, at: 6000, sending: "lp_other") }
        #expect(refusal.code == .unauthenticated && !refusal.detail.contains("expired"))
    }

    @Test(arguments: [(nil, 8000, true), (nil, 8001, false), (9000, 8001, false), (5000, 4999, true)] as [(Int64?, Int64, Bool)])
    func `refuses a token that is older than the service allows`(expiresAt: Int64?, now: Int64, isAccepted: Bool) throws {
        func ask() throws -> Identity { try identify(expiresAt: expiresAt, maxAge: .milliseconds(8001), at: now) }
        guard !isAccepted else {
            #expect(try ask().expiresAt == Timestamp(milliseconds: expiresAt ?? 8001))
            return
        }
        let refusal = try #require(throws: Failure.self) { try ask() }
        #expect(refusal.code == .unauthenticated && refusal.detail.contains("older than --max-token-age allows"))
    }

    @Test(arguments: [(nil, 1), (-3_600_000, 1), (0, 0), (3_599_999, 0)] as [(Int64?, Int)])
    func `notes the first use of an hour`(last: Int64?, count: Int) throws {
        let uses = Mutex<[TokenUse]>([])
        let use = last.map { TokenUse(at: Timestamp(milliseconds: $0), from: "192.0.2.1") }
        _ = try identify(expiresAt: nil, lastUse: use, at: 3_599_999) { _, use in uses.withLock { $0.append(use) } }
        #expect(uses.withLock(\.self) == Array(repeating: TokenUse(at: Timestamp(milliseconds: 0), from: ""), count: count))
    }
}
