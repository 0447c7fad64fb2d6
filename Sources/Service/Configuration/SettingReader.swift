import QuickActions
import Shortcuts

/// Parses settings and collects the problems.
struct SettingReader {
    private let values: SettingValues
    private(set) var problems: [String] = []

    init(_ values: SettingValues) {
        self.values = values
    }

    /// - Parameter rule: what the text must be, as the end of a sentence.
    mutating func read<Value>(_ setting: Setting, into value: inout Value, _ rule: String, _ parse: (String) -> Value?) {
        if let given = read(setting, rule, parse) { value = given }
    }

    /// For a setting without a default.
    mutating func readOptional<Value>(_ setting: Setting, into value: inout Value?, _ rule: String, _ parse: (String) -> Value?) {
        if let given = read(setting, rule, parse) { value = given }
    }

    /// For a secret, which may be in a file that another setting names: the file's first line counts as the value.
    mutating func readSecret(
        _ setting: Setting, inFileNamedBy file: Setting, into value: inout String?, _ rule: String, _ parse: (String) -> String?
    ) {
        guard let path = values[file] else { return readOptional(setting, into: &value, rule, parse) }
        guard values[setting] == nil else { return note(file, "--\(setting.rawValue) is given, too. Give one of the two.") }
        do throws(TextRefusal) {
            value = parse(try SecretFile.firstLine(of: path))
            if value == nil { note(file, "The first line of \(path) is not \(rule).") }
        } catch {
            note(file, error.description)
        }
    }

    /// The database, with the password that a file may have for it. A SQLite database has none.
    mutating func readDatabase(into name: inout DatabaseName) {
        read(.database, into: &name) { text throws(TextRefusal) in try DatabaseName(text) }
        if let uri = withPassword(name.uri) { name = .postgres(uri) }
    }

    /// The URI with the password of `--database-password-file`; nil if there is no URI, no file or an error.
    mutating func withPassword(_ uri: PostgresURI?) -> PostgresURI? {
        guard let uri, let path = values[.databasePasswordFile] else { return nil }
        do throws(TextRefusal) {
            guard !uri.hasPassword, !values.hasLibpqPassword else {
                throw TextRefusal("The URI or PGPASSWORD has a password, too. Give one of the two.")
            }
            return uri.adding(password: try SecretFile.firstLine(of: path))
        } catch {
            note(.databasePasswordFile, error.description)
            return nil
        }
    }

    /// For a parser that throws its own sentence.
    mutating func read<Value>(
        _ setting: Setting, into value: inout Value, _ parse: (String) throws(TextRefusal) -> Value
    ) {
        guard let text = values[setting] else { return }
        do throws(TextRefusal) {
            value = try parse(text)
        } catch {
            note(setting, error.description)
        }
    }

    private mutating func read<Value>(_ setting: Setting, _ rule: String, _ parse: (String) -> Value?) -> Value? {
        guard let text = values[setting] else { return nil }
        let parsed = parse(text)
        if parsed == nil { note(setting, "\(setting.isSecret ? "The value given" : quoted(text.withoutCredentials)) is not \(rule).") }
        return parsed
    }

    private mutating func note(_ setting: Setting, _ problem: String) {
        problems.append("--\(setting.rawValue) (\(setting.environmentName)): \(problem.withoutUserInfo)")
    }
}
