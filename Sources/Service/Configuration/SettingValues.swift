import Shortcuts

/// The values that were given, by where they were given; a flag wins over the environment, which wins over the file.
package struct SettingValues: Sendable {
    private let values: [Setting: String]

    package init(flags: [Setting: String], environment: [String: String], file: [Setting: String] = [:]) {
        var values: [Setting: String] = [:]
        for setting in Setting.allCases {
            values[setting] = flags[setting] ?? environment[setting.environmentName] ?? file[setting]
        }
        self.values = values
    }

    subscript(setting: Setting) -> String? { values[setting] }
}

/// Why the service does not start: everything that is wrong, a line each.
package struct ConfigurationError: Error, CustomStringConvertible {
    package let problems: [String]

    package init(_ problems: [String]) {
        self.problems = problems
    }

    package var description: String { problems.joined(separator: "\n") }
}

/// The configuration file: one JSON object of option names and their values.
package enum ConfigurationFile {
    package static func read(_ bytes: [UInt8], named path: String) throws(ConfigurationError) -> [Setting: String] {
        let json: JSON
        do throws(Failure) {
            json = try JSONReader.read(bytes)
        } catch {
            throw ConfigurationError(["\(path): \(error.detail)"])
        }
        guard case .object(let members) = json else {
            throw ConfigurationError([
                "\(path): the configuration file must be one JSON object, for example {\"listen\": \"127.0.0.1:8080\"}."
            ])
        }
        var values: [Setting: String] = [:]
        var problems: [String] = []
        for member in members {
            guard let setting = Setting(rawValue: member.name.string) else {
                problems.append("\(path): \(quoted(member.name.string)) is not an option. See longpress serve --help.")
                continue
            }
            switch member.value {
            case .string(let text): values[setting] = text.string
            case .integer(let number): values[setting] = String(number)
            case .boolean(let value): values[setting] = String(value)
            default:
                problems.append(
                    "\(path): \(setting.rawValue) is \(member.value.kind) and must be a string, an integer, true or false.")
            }
        }
        guard problems.isEmpty else { throw ConfigurationError(problems) }
        return values
    }
}
