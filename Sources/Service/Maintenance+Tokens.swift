import Shortcuts
import Storage

extension Maintenance {
    /// Makes a token in a database that is there: one in a new database would open no service.
    /// - Parameters:
    ///   - expires: an RFC 3339 time, or how long from now on, such as `90d` or `12h`.
    ///   - show: told the secret, which is kept nowhere. Where it cannot show it, the token goes again.
    package func createToken(
        name: String, role: String, apps: [String], expires: String?, show: (String) throws -> Void
    ) throws {
        let author = author
        let expiresAt = try expires.map { try Self.expiry($0, from: author.at) }
        let wish = JSON.object(
            [JSON.Member("name", .string(name)), JSON.Member("role", .string(role))]
                .adding("apps", apps.isEmpty ? nil : .array(apps.map { .string($0) }))
                .adding("expiresAt", expiresAt.map { .string($0.description) }))
        let made = NewToken(
            try TokenDocument(wish).checked(now: author.at), id: Randomness.id(), secretBytes: Randomness.bytes(32), at: author.at)
        let store = try existingStore()
        try store.createToken(made.token, by: author)
        do {
            try show(made.secret)
        } catch {
            try store.revokeToken(made.token.id, by: author)
            throw error
        }
    }

    /// Id, role, apps, expiry and name, a token a line.
    package func tokenLines() throws -> [String] {
        let store = try existingStore()
        let now = author.at
        var lines: [String] = []
        var cursor: String?
        repeat {
            let page = try store.tokens(PageRequest(limit: 200, cursor: cursor), within: .all)
            lines += page.items.map { "\($0.id)  \($0.role.rawValue)  \($0.scope.listed)  \($0.expiry(at: now))  \($0.name)" }
            cursor = page.next
        } while cursor != nil
        return lines
    }

    package func revokeToken(_ id: String) throws {
        try existingStore().revokeToken(id, by: author)
    }

    private static func expiry(_ text: String, from now: Timestamp) throws(Failure) -> Timestamp {
        guard let time = time(after: text, from: now) ?? Timestamp(text) else {
            throw Failure(
                .badRequest,
                "\(quoted(text)) is no expiry. Give how long the token holds, such as 90d or 12h, or a time such as 2027-01-01T00:00:00Z.")
        }
        return time
    }

    /// Nil where the text is no duration; days are for tokens only.
    private static func time(after text: String, from now: Timestamp) -> Timestamp? {
        guard text.last == "d" else { return Duration(text: text).map { now + $0 } }
        let digits = text.dropLast()
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let days = Int64(digits), days <= 36_500 else { return nil }
        return now + .seconds(days * 86_400)
    }
}

extension Scope {
    fileprivate var listed: String {
        switch self {
        case .all: "all apps"
        case .apps(let apps): apps.sorted().map(\.description).joined(separator: ",")
        }
    }
}

extension Token {
    fileprivate func expiry(at now: Timestamp) -> String {
        expiresAt.map { "\($0 <= now ? "expired" : "expires") \($0.shortText)" } ?? "no expiry"
    }
}
