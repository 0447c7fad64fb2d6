/// Where the database is: a path, or `sqlite:` and a path.
package struct DatabasePath: Sendable, CustomStringConvertible {
    static let standard = DatabasePath("longpress.sqlite")

    package let description: String

    package init(_ text: String) {
        description = text.hasPrefix("sqlite:") ? String(text.dropFirst("sqlite:".count)) : text
    }

    /// What was given, else the default.
    package init(_ values: SettingValues) {
        self = values[.database].map { DatabasePath($0) } ?? .standard
    }
}
