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

/// A stored token. Of the secret only the SHA-256 is stored.
package struct Token: Sendable {
    package let id: TokenID
    package let name: String
    package let role: Role
    package let scope: Scope
    package let createdAt: Timestamp
    /// The token is refused from this time on; nil for a token that is valid until it is revoked.
    package let expiresAt: Timestamp?
    /// SHA-256 of the whole secret `lp_…`, 32 bytes.
    package let hash: [UInt8]

    package init(
        id: TokenID, name: String, role: Role, scope: Scope, createdAt: Timestamp, expiresAt: Timestamp? = nil, hash: [UInt8]
    ) {
        self.id = id
        self.name = name
        self.role = role
        self.scope = scope
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.hash = hash
    }
}
