import QuickActions

/// A sign-in of the console. It has the rights of its token, and ends with it; a person's has those of the sign-in roles.
package struct Session: Sendable {
    package enum Owner: Equatable, Sendable {
        case token(TokenID)
        /// The token of `--admin-token`, by its SHA-256.
        case configured([UInt8])
        /// Of nobody's token: a proxy has named the person.
        case person(Person)
    }

    package static let duration = Duration.seconds(12 * 3600)

    /// SHA-256 of the secret, 32 bytes.
    package let hash: [UInt8]
    package let owner: Owner
    package let createdAt: Timestamp
    /// The session is refused from this time on.
    package let expiresAt: Timestamp

    package init(hash: [UInt8], owner: Owner, createdAt: Timestamp, expiresAt: Timestamp) {
        self.hash = hash
        self.owner = owner
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    /// A hash of the hash that the store has: it is the same from the session's beginning to its end, and lets nobody in.
    /// - Parameter hash: `Session.hash`.
    package static func publicID(of hash: [UInt8]) -> String { sha256Hex(hash, first: 16) }
}

/// A session that was just made, with its secret, which only the cookie has.
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

/// The body of `POST …/sessions`: `{"token"}`, or `{}` where a proxy says who signs in.
package struct SignInDocument {
    private let json: JSON

    package init(_ json: JSON) {
        self.json = json
    }

    /// The token's secret as sent. No violation quotes it.
    /// - Returns: nil without a token, where that is allowed.
    package func checked(isOptional: Bool = false) throws(Failure) -> String? {
        let checker = DocumentChecker()
        let document = checker.object(json, at: .root, known: ["token"])
        let token = isOptional ? document?.optional("token", checker.string) : document?.required("token", checker.string)
        try checker.finish()
        return token?.string
    }
}
