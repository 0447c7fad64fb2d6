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
