import HTTP
import QuickActions
import Shortcuts
import Synchronization

/// The sender of an authenticated request.
struct Identity: Sendable {
    let id: TokenID
    let name: String
    let role: Role
    let scope: Scope
    /// nil for a token that is valid until it is revoked.
    let expiresAt: Timestamp?
    /// The owner of the token, or the person who signed in through a proxy.
    let person: TokenOwner
    /// The owner of this sender's sessions.
    let owner: Session.Owner
    /// The session in the request's cookie; nil if the request has the token itself.
    var session: Session?

    /// For the middle of a sentence: `the token "ci"`, or a person's address.
    var noun: String { id.person == nil ? "the token \(quoted(name))" : quoted(name) }

    /// For the start of a sentence.
    var title: String { id.person == nil ? "The token \(quoted(name))" : quoted(name) }

    /// Whether this is the token of `--admin-token`, or a session of that token.
    var isConfigured: Bool {
        if case .configured = owner { true } else { false }
    }

    func author(of request: Request, at time: Timestamp) -> Author {
        Author(
            token: name, tokenID: id, owner: person, role: role, session: session.map { Session.publicID(of: $0.hash) },
            address: request.sender.address, request: request.id, traceParent: request.traceParent, at: time)
    }
}

/// Authenticates requests by bearer token (RFC 6750) or by the cookie of a session. If a request has both, the token counts. Secrets are
/// compared by hash in constant time. Each request reads the store, the clock and the sign-in roles, so that a revoked or expired token,
/// its sessions, and the session of a person without a role are rejected at once.
package final class Authenticator: Sendable {
    private struct Settings: Sendable {
        /// The SHA-256 of the configured owner token; nil if none is set.
        let configuredHash: [UInt8]?
        /// Nil if people sign in only with tokens.
        let proxySignIn: ProxySignIn?

        init(_ token: String?, _ proxySignIn: ProxySignIn?) {
            configuredHash = token.map { sha256(Array($0.utf8)) }
            self.proxySignIn = proxySignIn
        }
    }

    private let tokens: any TokenStore & SessionStore
    private let clock: any WallClock
    private let settings: Mutex<Settings>
    /// The longest life of a stored token.
    let maxTokenAge: Duration?
    /// Called with the first use of a stored token in an hour, possibly several times. Must not block.
    private let noteUse: @Sendable (TokenID, TokenUse) -> Void

    package init(
        tokens: any TokenStore & SessionStore, configuredToken: String?, proxySignIn: ProxySignIn? = nil, clock: any WallClock,
        maxTokenAge: Duration? = nil, noteUse: @escaping @Sendable (TokenID, TokenUse) -> Void = { _, _ in }
    ) {
        self.tokens = tokens
        self.clock = clock
        self.maxTokenAge = maxTokenAge
        self.noteUse = noteUse
        settings = Mutex(Settings(configuredToken, proxySignIn))
    }

    /// Replaces the configured owner token and the sign-in of people. Ends the sessions of a replaced token and of people without a role.
    package func configure(token: String?, proxySignIn: ProxySignIn?) {
        let new = Settings(token, proxySignIn)
        settings.withLock { $0 = new }
    }

    private var configuredHash: [UInt8]? { settings.withLock { $0.configuredHash } }

    var proxySignIn: ProxySignIn? { settings.withLock { $0.proxySignIn } }

    /// Whether the current settings still give this identity the same rights.
    func isCurrent(_ identity: Identity) -> Bool {
        switch identity.owner {
        case .token: true
        case .configured(let hash): configuredHash == hash
        case .person(let person): proxySignIn?.roles.rights(of: person) == SignInRoles.Rights(role: identity.role, scope: identity.scope)
        }
    }

    /// Whether the creator of a preview link still has the rights to create it.
    /// - Parameter token: the creator's token.
    func allows(_ link: PreviewLink, by token: Token?) -> Bool {
        switch link.creator {
        case .token: token.map { $0.end(maxAge: maxTokenAge).map { $0 > clock.now() } ?? true } ?? false
        case .configured(let hash): configuredHash?.isEqualInConstantTime(to: hash) ?? false
        case .person(let person):
            proxySignIn?.roles.rights(of: person).map { $0.role >= .editor && $0.scope.contains(link.app) } ?? false
        }
    }

    /// - Parameter subject: receives the token's name, even if the token has expired.
    func authenticate(_ request: Request, _ subject: inout Refusal.Subject) throws(Failure) -> Identity {
        let credentials = request.fields.all("Authorization")
        let secrets = credentials.compactMap(Self.bearer)
        // A proxy may add `Authorization: Basic`, which does not affect the session.
        if secrets.isEmpty, let secret = request.sessionSecret { return try identity(ofSession: secret, in: request, &subject) }
        guard let secret = secrets.first, credentials.count == 1 else {
            throw Failure(
                .unauthenticated,
                "The request has no token. Send the field Authorization: Bearer lp_…; `longpress token create` creates a token.")
        }
        return try identity(ofToken: secret, &subject)
    }

    /// - Parameter secret: the whole token.
    func identity(ofToken secret: String, _ subject: inout Refusal.Subject) throws(Failure) -> Identity {
        let hash = sha256(Array(secret.utf8))
        if let configuredHash, hash.isEqualInConstantTime(to: configuredHash) {
            return configured(hash, &subject)
        }
        let candidates = try tokens.tokens(hashPrefix: Array(hash.prefix(8)))
        guard let token = candidates.first(where: { $0.hash.isEqualInConstantTime(to: hash) }) else {
            throw Failure(.unauthenticated, "The token is unknown or was revoked. Check it, or ask an owner for a new one.")
        }
        return try identity(of: token, &subject)
    }

    /// - Parameter secret: the value of the session's cookie.
    private func identity(
        ofSession secret: String, in request: Request, _ subject: inout Refusal.Subject
    ) throws(Failure) -> Identity {
        guard let (session, token) = try tokens.session(hash: sha256(Array(secret.utf8))) else {
            throw Failure(.unauthenticated, "The session has ended, or its token was revoked. Sign in again.")
        }
        var identity =
            switch session.owner {
            case .configured(let hash) where configuredHash.map { $0.isEqualInConstantTime(to: hash) } ?? false: configured(hash, &subject)
            case .configured:
                throw Failure(
                    .unauthenticated, "The session was started with an --admin-token that is no longer configured. Sign in again.")
            case .token:
                try identity(of: try requireToken(token), &subject)
            case .person(let person): try identity(of: person, in: request, &subject)
            }
        guard session.expiresAt > clock.now() else {
            throw Failure(.unauthenticated, "The session ended at \(session.expiresAt.shortText). Sign in again.")
        }
        identity.session = session
        return identity
    }

    /// The person whom a sign-in proxy names.
    /// - Throws: `unauthenticated`; `forbidden` for a person without a role.
    func identity(ofPersonIn request: Request, by signIn: ProxySignIn, _ subject: inout Refusal.Subject) throws(Failure) -> Identity {
        let person = try signIn.person(of: request)
        let rights = try signIn.rights(of: person)
        subject.token = person.address.description
        return Identity(of: person, rights)
    }

    /// The identity of the session's person.
    private func identity(of person: Person, in request: Request, _ subject: inout Refusal.Subject) throws(Failure) -> Identity {
        guard let proxySignIn else {
            throw Failure(
                .unauthenticated, "The session was started through a sign-in proxy, which is no longer configured. Sign in with a token.")
        }
        guard !proxySignIn.isContradicted(person, by: request) else {
            throw Failure(
                .unauthenticated,
                "The session belongs to \(quoted(person.address.description)), but the proxy names another person. Sign in again.")
        }
        do throws(Failure) {
            let rights = try proxySignIn.rights(of: person)
            subject.token = person.address.description
            return Identity(of: person, rights)
        } catch {
            throw Failure(.unauthenticated, error.detail)
        }
    }

    private func requireToken(_ token: Token?) throws(Failure) -> Token {
        guard let token else { throw Failure(.unauthenticated, "The session's token was revoked. Sign in with another token.") }
        return token
    }

    private func configured(_ hash: [UInt8], _ subject: inout Refusal.Subject) -> Identity {
        let name = Token.configuredName
        subject.token = name
        return Identity(
            id: TokenID(name), name: name, role: .owner, scope: .all, expiresAt: nil, person: TokenOwner(name), owner: .configured(hash))
    }

    private func identity(of token: Token, _ subject: inout Refusal.Subject) throws(Failure) -> Identity {
        subject.token = token.name
        // Only a sender with the whole secret may learn that the token has expired.
        let (now, end) = (clock.now(), token.end(maxAge: maxTokenAge))
        if let expiresAt = token.expiresAt, expiresAt <= now {
            throw Failure(
                .unauthenticated,
                "The token \(quoted(token.name)) expired at \(expiresAt.shortText). Ask an owner for a new token, or run `longpress token "
                    + "create`.")
        }
        if let end, end <= now {
            throw Failure(
                .unauthenticated,
                "The token \(quoted(token.name)) was created at \(token.createdAt.shortText) and is older than --max-token-age allows. Ask "
                    + "an owner for a new token, or run `longpress token create`.")
        }
        let use = TokenUse(at: now, from: subject.address ?? "")
        if token.lastUse.map({ $0.hour < use.hour }) ?? true { noteUse(token.id, use) }
        return Identity(
            id: token.id, name: token.name, role: token.role, scope: token.scope, expiresAt: end, person: token.owner,
            owner: .token(token.id))
    }

    /// The scheme is case-insensitive (RFC 9110 section 11.1).
    static func bearer(_ field: String) -> String? {
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return parts[1].trimmingPrefix(while: { $0 == " " }).description
    }
}

extension Identity {
    /// The person's address takes the place of a token's name.
    fileprivate init(of person: Person, _ rights: SignInRoles.Rights) {
        self.init(
            id: TokenID(of: person), name: person.address.description, role: rights.role, scope: rights.scope, expiresAt: nil,
            person: person.address, owner: .person(person))
    }
}
