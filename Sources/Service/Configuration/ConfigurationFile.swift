import Platform
import QuickActions
import Shortcuts

/// Reads the configuration file: one JSON object of settings and their values.
package enum ConfigurationFile {
    /// The variable with the file's path, used without the flag `--config`.
    package static let environmentName = "LONGPRESS_CONFIG"

    package static func read(fileAt path: String) throws(ConfigurationError) -> [Setting: String] {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try FileBytes.read(path, atMost: 1 << 20)
        } catch {
            throw ConfigurationError(["The configuration file \(error)"])
        }
        return try read(bytes, named: path)
    }

    package static func read(_ bytes: [UInt8], named path: String) throws(ConfigurationError) -> [Setting: String] {
        let json: JSON
        do throws(Failure) {
            json = try JSON(document: bytes, named: path)
        } catch {
            throw ConfigurationError([error.detail])
        }
        guard case .object(let members) = json else {
            throw ConfigurationError([
                "\(path): the configuration file must be one JSON object, for example {\"listen\": \"127.0.0.1:8080\"}."
            ])
        }
        var values: [Setting: String] = [:]
        var problems: [String] = []
        for member in members {
            guard let setting = Setting(name: member.name.string) else {
                let nearest = nearestName(to: member.name.string, among: Setting.allCases.map(\.name))
                problems.append(
                    "\(path): \(quoted(member.name.string)) is not a setting. "
                        + (nearest.map { "Did you mean \(quoted($0))?" } ?? "longpress serve --help lists the settings."))
                continue
            }
            switch member.value {
            case .string(let text): values[setting] = text.string
            case .integer(let number): values[setting] = String(number)
            case .boolean(let value): values[setting] = String(value)
            default:
                problems.append(
                    "\(path): \(setting.name) is \(member.value.kind), but must be a string, an integer, true or false.")
            }
        }
        guard problems.isEmpty else { throw ConfigurationError(problems) }
        return values
    }
}
