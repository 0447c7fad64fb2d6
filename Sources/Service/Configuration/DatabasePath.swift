import QuickActions
import Shortcuts

/// The path of the database file, given as a path or as `sqlite:` and a path.
package struct DatabasePath: Sendable, CustomStringConvertible {
    static let standard = DatabasePath(file: "longpress.sqlite")

    package let description: String

    /// A path without a scheme, not checked.
    package init(file path: String) {
        description = path
    }

    /// - Throws: a sentence for the URL of another kind of database, which would otherwise be taken for the name of a file.
    package init(_ text: String) throws(TextRefusal) {
        guard let scheme = URIParts(text).scheme else {
            self.init(file: try Self.checked(text))
            return
        }
        let path = String(text.dropFirst(scheme.count + 1))
        guard scheme.lowercased() == "sqlite" else {
            throw TextRefusal(
                "\(quoted(text.withoutUserInfo)) is no database of this version, which keeps its data in SQLite only. Give a path or sqlite: and a "
                    + "path; a file of this very name is ./ and the name.")
        }
        guard !path.hasPrefix("//") || path.hasPrefix("///") else {
            throw TextRefusal(
                "\(quoted(text.withoutUserInfo)) names a host, and SQLite has none. Write sqlite:longpress.sqlite or sqlite:/data/longpress.sqlite."
            )
        }
        self.init(file: try Self.checked(path))
    }

    /// The given setting, else the default.
    package init(_ values: SettingValues) throws(ConfigurationError) {
        var (reader, path) = (SettingReader(values), Self.standard)
        reader.read(.database, into: &path) { text throws(TextRefusal) in try DatabasePath(text) }
        guard reader.problems.isEmpty else { throw ConfigurationError(reader.problems) }
        self = path
    }

    /// Refuses `:memory:` and an empty name, with which SQLite makes a database that ends with the connection.
    private static func checked(_ path: String) throws(TextRefusal) -> String {
        guard !path.isEmpty, path != ":memory:", !path.utf8.contains(0) else {
            throw TextRefusal("\(quoted(path.withoutUserInfo)) is not the path of a file, such as /var/lib/longpress/longpress.sqlite.")
        }
        return path
    }
}
