import Foundation
import QuickActions
import Shortcuts

/// The location of the data: a SQLite file, as a path or as `sqlite:` and a path, or the connection URI of a PostgreSQL server.
package enum DatabaseName: Sendable, Equatable, CustomStringConvertible {
    case sqlite(path: String)
    case postgres(PostgresURI)

    static let standard = DatabaseName.sqlite(path: "longpress.sqlite")

    /// For messages and logs: without passwords.
    package var description: String {
        switch self {
        case .sqlite(let path): path
        case .postgres(let uri): uri.description
        }
    }

    /// Nil for SQLite.
    var uri: PostgresURI? {
        if case .postgres(let uri) = self { uri } else { nil }
    }

    /// The path of the SQLite file; nil for PostgreSQL.
    var path: String? {
        switch self {
        case .sqlite(let path): path
        case .postgres: nil
        }
    }

    /// The time of this file is the time of the last `longpress backup`.
    static func backupMark(of path: String) -> String { path + "-backup" }

    /// The description with an absolute path.
    var fullDescription: String {
        switch self {
        case .sqlite(let path): URL(fileURLWithPath: path).path
        case .postgres(let uri): uri.description
        }
    }

    /// - Throws: an error for the URL of another kind of database, which would otherwise be used as a file name.
    package init(_ text: String) throws(TextError) {
        guard let scheme = URIParts(text).scheme else {
            self = .sqlite(path: try Self.checked(text))
            return
        }
        if let uri = try PostgresURI(text) {
            self = .postgres(uri)
            return
        }
        let path = String(text.dropFirst(scheme.count + 1))
        guard scheme.lowercased() == "sqlite" else {
            throw TextError(
                "\(quoted(text.withoutCredentials)) is not a database name. Use a path, sqlite: and a path, or postgres://… for "
                    + "PostgreSQL. For a file with this name, put ./ before it.")
        }
        guard !path.hasPrefix("//") || path.hasPrefix("///") else {
            throw TextError(
                "\(quoted(text.withoutCredentials)) has a host, but SQLite uses a file. Write sqlite:longpress.sqlite or "
                    + "sqlite:/data/longpress.sqlite.")
        }
        self = .sqlite(path: try Self.checked(path))
    }

    /// The configured database, or the default.
    package init(_ values: SettingValues) throws(ConfigurationError) {
        var (reader, name) = (SettingReader(values), Self.standard)
        reader.readDatabase(into: &name)
        guard reader.problems.isEmpty else { throw ConfigurationError(reader.problems) }
        self = name
    }

    /// Rejects `:memory:` and an empty name: SQLite would create a database that ends with the connection.
    private static func checked(_ path: String) throws(TextError) -> String {
        guard !path.isEmpty, path != ":memory:", !path.utf8.contains(0) else {
            throw TextError("\(quoted(path.withoutCredentials)) is not the path of a file, such as /var/lib/longpress/longpress.sqlite.")
        }
        return path
    }
}

/// A connection URI in libpq's syntax (postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS). It may contain a password.
package struct PostgresURI: Sendable, Equatable, CustomStringConvertible {
    /// Only for libpq: it may contain a password.
    package private(set) var text: String

    /// For messages and logs: without user information and passwords.
    package let description: String

    /// Nil for a text with another scheme. libpq parses the rest when it connects.
    package init?(_ text: String) throws(TextError) {
        guard let scheme = URIParts(text).scheme, ["postgres", "postgresql"].contains(scheme.lowercased()) else { return nil }
        let rest = text.dropFirst(scheme.count)
        guard rest.hasPrefix("://"), text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw TextError(
                "\(quoted(text.withoutCredentials)) is not a connection URI of PostgreSQL, such as "
                    + "postgres://longpress@db.internal/longpress. Percent-encode spaces.")
        }
        self.text = scheme.lowercased() + rest
        description = self.text.withoutCredentials
    }

    /// Whether the user information or a parameter contains a password.
    var hasPassword: Bool {
        let parts = text.dropFirst((URIParts(text).scheme ?? "").count + 3).split(separator: "?", maxSplits: 1)
        let userInfo = parts.first.flatMap { part in part.lastIndex(of: "@").map { part[..<$0] } } ?? ""
        return userInfo.contains(":") || (parts.dropFirst().first ?? "").split(separator: "&").contains { $0.hasPrefix("password=") }
    }

    /// The URI with the password as a parameter, which `description` leaves out.
    func adding(password: String) -> PostgresURI {
        var uri = self
        uri.text += (text.contains("?") ? "&" : "?") + "password=" + password.percentEncoded
        return uri
    }
}

/// Where a node listens for the changes of other nodes.
package enum ChangeListening: Sendable, Equatable {
    /// At the address of the database.
    case atDatabase
    /// At another address of the database, if `--database` is a pooler in transaction mode.
    case at(PostgresURI)
    /// Does not listen, only polls.
    case off

    init(_ text: String) throws(TextError) {
        if text == "none" {
            self = .off
        } else if let uri = try PostgresURI(text) {
            self = .at(uri)
        } else {
            throw TextError(
                "\(quoted(text.withoutCredentials)) is neither a connection URI of PostgreSQL, postgres://…, nor the word none.")
        }
    }
}

/// A node's settings for a PostgreSQL server.
package struct PostgresSettings: Sendable {
    /// The size of the pool. The listening connection is not included.
    package var connections = 8
    package var listening = ChangeListening.atDatabase
    /// How often the node polls for changes, in addition to listening.
    package var pollInterval = Duration.seconds(1)

    package init() {}
}

extension String {
    /// The text with `***` instead of the user information of each URL in it: the text from `://` to an `@`.
    ///
    /// It extends to the last `@`, because an unescaped password may contain delimiters of RFC 3986.
    var withoutUserInfo: String {
        var parts = split(separator: "://", omittingEmptySubsequences: false).map(String.init)
        for index in parts.indices.dropFirst() {
            if let at = parts[index].lastIndex(of: "@") { parts[index].replaceSubrange(..<at, with: "***") }
        }
        return parts.joined(separator: "://")
    }

    /// A URL with `***` instead of its user information and of the values of libpq's secret parameters.
    var withoutCredentials: String {
        var parts = withoutUserInfo.split(separator: "&", omittingEmptySubsequences: false).map(String.init)
        for index in parts.indices {
            let part = parts[index]
            let start = index == 0 ? part.firstIndex(of: "?").map { part.index(after: $0) } : part.startIndex
            guard let start, let sign = part[start...].firstIndex(of: "="), Self.isSecret(part[start..<sign]) else { continue }
            parts[index] = part[...sign] + "***"
        }
        return parts.joined(separator: "&")
    }

    /// Whether the parameter's value is a secret. libpq decodes names, too, so an encoded name counts as secret.
    private static func isSecret(_ name: Substring) -> Bool {
        name.contains("%") || secretParameters.contains { name.lowercased().contains($0) }
    }

    private static let secretParameters = ["password", "secret", "scram_client_key", "scram_server_key"]
}
