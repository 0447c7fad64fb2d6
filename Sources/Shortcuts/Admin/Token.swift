import QuickActions

/// The rights of a token; each role includes those before it.
package enum Role: String, Sendable, CaseIterable, Comparable {
    case reader, editor, publisher, owner

    package static func < (left: Role, right: Role) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int {
        switch self {
        case .reader: 0
        case .editor: 1
        case .publisher: 2
        case .owner: 3
        }
    }
}

/// The apps that a token has access to.
package enum Scope: Hashable, Sendable {
    case all
    case apps(Set<AppID>)

    package func contains(_ app: AppID) -> Bool {
        switch self {
        case .all: true
        case .apps(let apps): apps.contains(app)
        }
    }

    /// Whether `other` is a subset of this scope.
    package func covers(_ other: Scope) -> Bool {
        switch (self, other) {
        case (.all, _): true
        case (.apps, .all): false
        case (.apps(let mine), .apps(let theirs)): theirs.isSubset(of: mine)
        }
    }
}

/// The person, team or program that a token belongs to. Approvals count owners.
package struct TokenOwner: Sendable, Hashable, TextRepresentable {
    package let description: String

    package init(_ text: String) {
        description = text
    }

    package static func == (left: TokenOwner, right: TokenOwner) -> Bool { left.description.caseFolded == right.description.caseFolded }

    package func hash(into hasher: inout Hasher) { hasher.combine(description.caseFolded) }
}

extension String {
    /// Equal for texts that differ only in case. Swift compares and hashes strings by canonical equivalence, so no normalization is needed.
    package var caseFolded: String { uppercased().lowercased() }
}

/// A stored token. Only the SHA-256 of its secret is stored.
package struct Token: Sendable {
    package let id: TokenID
    /// Unique among the tokens that are not revoked.
    package var name: String
    package let role: Role
    package let scope: Scope
    package let createdAt: Timestamp
    /// From this time on, the token is not accepted. Nil for a token that is valid until it is revoked.
    package let expiresAt: Timestamp?
    /// SHA-256 of the whole secret `lp_…`, 32 bytes.
    package let hash: [UInt8]
    /// It never changes.
    package let owner: TokenOwner
    /// The token that created this one, or `firstStart`. Nil if the command line or an older program created it.
    package let createdBy: TokenID?
    /// Nil for a token that was never used.
    package let lastUse: TokenUse?

    /// - Parameter owner: the name by default.
    package init(
        id: TokenID, name: String, role: Role, scope: Scope, createdAt: Timestamp, expiresAt: Timestamp? = nil, hash: [UInt8],
        owner: TokenOwner? = nil, createdBy: TokenID? = nil, lastUse: TokenUse? = nil
    ) {
        self.id = id
        self.name = name
        self.role = role
        self.scope = scope
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.hash = hash
        self.owner = owner ?? TokenOwner(name)
        self.createdBy = createdBy
        self.lastUse = lastUse
    }

    /// The time from which the token is not accepted: its expiry or the end of `maxAge`, whichever is earlier.
    package func end(maxAge: Duration?) -> Timestamp? {
        [expiresAt, maxAge.map { createdAt + $0 }].compactMap(\.self).min()
    }
}

/// The last use of a token or of one of its sessions, to the hour.
package struct TokenUse: Hashable, Sendable {
    /// The first millisecond of the hour.
    package let hour: Timestamp
    /// The address of the first use in that hour.
    package let address: String

    package init(at time: Timestamp, from address: String) {
        hour = time.hour
        self.address = address
    }
}

/// A token, possibly revoked, and the token that created it.
package struct TokenOrigin: Sendable {
    package let id: TokenID
    package let owner: TokenOwner
    /// As `Token.createdBy`.
    package let createdBy: TokenID?

    package init(id: TokenID, owner: TokenOwner, createdBy: TokenID?) {
        (self.id, self.owner, self.createdBy) = (id, owner, createdBy)
    }
}

extension Token {
    /// The id and the name of the configured token, which is not in the store.
    package static let configuredName = "admin-token"
    /// The name of the owner token that a service creates at its first start, and the id of its creator.
    package static let firstName = "first-token"
    package static let firstStart: TokenID = "first-start"
    /// The id and the name of the author of commands that work on the database without a token.
    package static let commandLineName = "command-line"
    /// How long the name of a revoked token cannot be used again.
    package static let nameRest = Duration.seconds(90 * 24 * 3600)

    /// The settings that the audit records.
    package var settings: JSON {
        [
            "name": .string(name), "owner": .string(owner), "role": .string(role.rawValue), "apps": scope.json,
            "expiresAt": expiresAt.map { .string($0.shortText) } ?? .null, "createdBy": .optional(createdBy),
        ]
    }

    /// The token in a list.
    /// - Parameter maxAge: as in `end(maxAge:)`.
    package func json(maxAge: Duration?) -> JSON {
        identity(maxAge: maxAge).adding("createdAt", .string(createdAt))
            .adding("lastUsedAt", lastUse.map { .string($0.hour.shortText) } ?? .null).adding("lastUsedFrom", .optional(lastUse?.address))
    }

    /// The token in the answer that has its secret.
    package func created(secret: String) -> JSON { identity(maxAge: nil).adding("token", .string(secret)) }

    private func identity(maxAge: Duration?) -> JSON {
        [
            "id": .string(id), "name": .string(name), "owner": .string(owner), "role": .string(role.rawValue), "apps": scope.json,
            "expiresAt": end(maxAge: maxAge).map { .string($0.shortText) } ?? .null, "createdBy": .optional(createdBy),
        ]
    }

    /// - Parameter taken: case-folded names.
    /// - Returns: the name, or the first of "name-2", "name-3" and so on that is not taken.
    package static func freeName(like name: String, besides taken: Set<String>) -> String {
        guard taken.contains(name.caseFolded) else { return name }
        // A name has at most 100 characters.
        let candidates = (2...).lazy.map { number in "\(name.prefix(99 - String(number).count))-\(number)" }
        return candidates.first { !taken.contains($0.caseFolded) } ?? name
    }
}

extension Scope {
    package var json: JSON {
        switch self {
        case .all: .null
        case .apps(let apps): .array(apps.sorted().map { .string($0.description) })
        }
    }
}

/// A stored credential: a token or a console session.
package enum Credential: Hashable, Sendable {
    case token(TokenID)
    /// Identified by the SHA-256 of its secret.
    case session([UInt8])
}
