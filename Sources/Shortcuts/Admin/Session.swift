import QuickActions

/// A sign-in of the console. A token's session has the rights of the token and ends with it. A person's session has the rights of the
/// sign-in roles.
package struct Session: Sendable {
    package enum Owner: Equatable, Sendable {
        case token(TokenID)
        /// The token of `--admin-token`, identified by its SHA-256.
        case configured([UInt8])
        /// A person whom a proxy signed in, without a token.
        case person(Person)
    }

    package static let duration = Duration.seconds(12 * 3600)

    /// SHA-256 of the secret, 32 bytes.
    package let hash: [UInt8]
    package let owner: Owner
    package let createdAt: Timestamp
    /// From this time on, the session is not accepted.
    package let expiresAt: Timestamp

    package init(hash: [UInt8], owner: Owner, createdAt: Timestamp, expiresAt: Timestamp) {
        self.hash = hash
        self.owner = owner
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    /// A hash of the stored hash. It identifies the session for its whole life and cannot be used to sign in.
    /// - Parameter hash: `Session.hash`.
    package static func publicID(of hash: [UInt8]) -> String { sha256Hex(hash, first: 16) }
}

/// A new session with its secret. Only the cookie contains the secret.
package struct NewSession: Sendable {
    package let session: Session
    /// base64url of the random bytes.
    package let secret: String

    /// - Parameter tokenExpiresAt: the session does not outlast its token.
    package init(of owner: Session.Owner, secretBytes: [UInt8], tokenExpiresAt: Timestamp?, at time: Timestamp) {
        secret = base64URL(secretBytes)
        let end = Timestamp(milliseconds: time.milliseconds + Session.duration.inMilliseconds)
        session = Session(
            hash: sha256(Array(secret.utf8)), owner: owner, createdAt: time, expiresAt: tokenExpiresAt.map { min($0, end) } ?? end)
    }
}

/// The body of `POST …/sessions`: `{"token"}`, or `{}` if a proxy names the person.
package struct SignInDocument {
    private let json: JSON

    package init(_ json: JSON) {
        self.json = json
    }

    /// The token's secret as sent. No violation quotes it.
    /// - Returns: nil if the token is absent and `isOptional` is true.
    package func checked(isOptional: Bool = false) throws(Failure) -> String? {
        let checker = DocumentChecker()
        let document = checker.object(json, at: .root, known: ["token"])
        let token = isOptional ? document?.optional("token", checker.string) : document?.required("token", checker.string)
        try checker.finish()
        return token?.string
    }
}
