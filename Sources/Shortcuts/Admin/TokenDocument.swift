/// A token as an owner asks for it: `{"name", "role", "apps"?}`; absent apps mean all.
package struct TokenDocument {
    package struct Wish: Sendable {
        package let name: String
        package let role: Role
        package let scope: Scope

        package init(name: String, role: Role, scope: Scope) {
            self.name = name
            self.role = role
            self.scope = scope
        }
    }

    private let json: JSON

    package init(_ json: JSON) {
        self.json = json
    }

    package func checked() throws(Failure) -> Wish {
        var checker = DocumentChecker()
        let document = checker.object(json, at: .root, known: ["name", "role", "apps"])
        let name = document?.required("name", &checker) { checker, json, path in checker.tokenName(json, at: path) }
        let role = document?.required("role", &checker) { checker, json, path in checker.role(json, at: path) }
        let apps = document?.optional("apps", &checker) { checker, json, path in checker.appIDs(json, at: path) }
        try checker.finish()
        guard let name, let role else { throw .invalidDocument([]) }
        return Wish(name: name.string, role: role, scope: apps.map { .apps(Set($0)) } ?? .all)
    }
}

/// A token that was just made, with the secret that is shown once.
package struct NewToken: Sendable {
    package let token: Token
    /// `lp_` + base64url of the random bytes.
    package let secret: String

    package init(_ wish: TokenDocument.Wish, id: String, secretBytes: [UInt8], at time: Timestamp) {
        secret = "lp_" + base64URL(secretBytes)
        token = Token(
            id: id, name: wish.name, role: wish.role, scope: wish.scope, createdAt: time, hash: sha256(Array(secret.utf8)))
    }
}

extension DocumentChecker {
    mutating func tokenName(_ json: JSON, at path: DocumentPath) -> Text? {
        line(json, at: path, upTo: 100, "text-invalid") { _ in "\(path) must have 1 to 100 characters without control characters." }
    }

    fileprivate mutating func role(_ json: JSON, at path: DocumentPath) -> Role? {
        let rule = { (text: String) in
            "\(quoted(text)) is not a role. Use one of: \(Role.allCases.map(\.rawValue).joined(separator: ", "))."
        }
        return parsed(json, at: path, "role-unknown", rule) { Role(rawValue: $0) }
    }

    /// App ids, each once, in their order.
    package mutating func appIDs(_ json: JSON, at path: DocumentPath) -> [AppID]? {
        guard let elements = array(json, at: path) else { return nil }
        var apps: [AppID] = []
        var seen: Set<AppID> = []
        for (index, element) in elements.enumerated() {
            if let app = appID(element, at: path[index]), seen.insert(app).inserted { apps.append(app) }
        }
        return apps
    }
}
