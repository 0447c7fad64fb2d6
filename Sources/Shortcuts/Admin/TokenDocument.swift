import QuickActions

/// The token to create, validated.
package struct TokenRequest: Sendable {
    package let name: String
    package let role: Role
    package let scope: Scope
    package let expiresAt: Timestamp?
    /// Nil if absent; the owner is then the name.
    package let owner: TokenOwner?

    package init(name: String, role: Role, scope: Scope, expiresAt: Timestamp? = nil, owner: TokenOwner? = nil) {
        self.name = name
        self.role = role
        self.scope = scope
        self.expiresAt = expiresAt
        self.owner = owner
    }
}

/// The body of `POST …/tokens`: `{"name", "role", "owner"?, "apps"?, "expiresAt"?}`; absent apps mean all.
package struct TokenDocument {
    private let json: JSON

    package init(_ json: JSON) {
        self.json = json
    }

    /// - Parameters:
    ///   - now: an expiry at or before it is the violation `time-past`.
    ///   - maxAge: the longest life of a token. A later expiry is the violation `time-too-late`; a token without one gets this life.
    package func checked(now: Timestamp, maxAge: Duration? = nil) throws(Failure) -> TokenRequest {
        let checker = DocumentChecker()
        let document = checker.object(json, at: .root, known: ["name", "role", "owner", "apps", "expiresAt"])
        let name = document?.required("name", checker.tokenName)
        let role = document?.required("role", checker.role)
        let owner = document?.optional("owner", checker.tokenName)
        let apps = document?.optional("apps", checker.appIDs)
        if json.hasEmptyArray("apps") {
            checker.note("apps-empty", at: .root["apps"], "apps is empty. Leave it out for all apps, or list at least one.")
        }
        var expiresAt = document?.optional("expiresAt", checker.instant)
        if let expiresAt, expiresAt <= now {
            checker.note(
                "time-past", at: .root["expiresAt"],
                "\(expiresAt) is not in the future (it is \(now)). Use a later time, or leave it out for a token that never expires.")
        }
        if let latest = maxAge.map({ now + $0 }) {
            if let given = expiresAt, given > latest {
                checker.note(
                    "time-too-late", at: .root["expiresAt"],
                    "\(given) is later than this service allows. Use \(latest.shortText) or earlier (--max-token-age).")
            }
            expiresAt = expiresAt ?? latest
        }
        try checker.finish()
        guard let name, let role else { throw .invalidDocument([]) }
        return TokenRequest(
            name: name.string, role: role, scope: apps.map { .apps(Set($0)) } ?? .all, expiresAt: expiresAt,
            owner: owner.map { TokenOwner($0.string) })
    }
}

/// A token that was just created, with its secret, which is shown once.
package struct NewToken: Sendable {
    package let token: Token
    /// `lp_` + base64url of the random bytes.
    package let secret: String

    /// - Parameter creator: see `Token.createdBy`.
    package init(_ request: TokenRequest, id: TokenID, secretBytes: [UInt8], createdBy creator: TokenID? = nil, at time: Timestamp) {
        secret = "lp_" + base64URL(secretBytes)
        token = Token(
            id: id, name: request.name, role: request.role, scope: request.scope, createdAt: time, expiresAt: request.expiresAt,
            hash: sha256(Array(secret.utf8)), owner: request.owner, createdBy: creator)
    }
}

extension JSON {
    /// Whether the member is `[]`. Such a filter would match nothing, which nobody wants, so it is a violation.
    func hasEmptyArray(_ name: Text) -> Bool {
        if case .array(let elements) = self[name] { elements.isEmpty } else { false }
    }
}

extension DocumentChecker {
    func tokenName(_ json: JSON, at path: DocumentPath) -> Text? {
        line(json, at: path, upTo: 100, "text-invalid") { _ in "\(path) must have 1 to 100 characters without control characters." }
    }

    func role(_ json: JSON, at path: DocumentPath) -> Role? {
        let rule = { (text: String) in
            "\(quoted(text)) is not a role. Use one of: \(Role.allCases.map(\.rawValue).joined(separator: ", "))."
        }
        return parsed(json, at: path, "role-unknown", rule) { Role(rawValue: $0) }
    }

    /// App ids without duplicates, in their order.
    package func appIDs(_ json: JSON, at path: DocumentPath) -> [AppID]? {
        guard let elements = array(json, at: path) else { return nil }
        var apps: [AppID] = []
        var seen: Set<AppID> = []
        for (index, element) in elements.enumerated() {
            if let app = appID(element, at: path[index]), seen.insert(app).inserted { apps.append(app) }
        }
        return apps
    }
}
