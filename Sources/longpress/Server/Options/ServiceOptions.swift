import ArgumentParser
import Foundation
import Service

/// The options of `serve`, `demo` and `doctor`: `--config`, and each `Setting` as a flag. All are text, which `ServiceConfiguration` parses.
///
/// ArgumentParser finds the options in the mirror of a new value, and decodes them by the labels of the mirror.
struct ServiceOptions: ParsableArguments, CustomReflectable {
    private static let config = "config"
    private var config: String?
    private var flags: [Setting: String] = [:]

    init() {}

    init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: Label.self)
        config = try options.decode(Option<String?>.self, forKey: Label(Self.config)).wrappedValue
        for setting in Setting.allCases {
            let label = Label(setting.name)
            if setting.isSwitch {
                if try options.decode(Flag<Bool>.self, forKey: label).wrappedValue { flags[setting] = "true" }
            } else {
                flags[setting] = try options.decode(Option<String?>.self, forKey: label).wrappedValue
            }
        }
    }

    var customMirror: Mirror {
        let config = Option<String?>(help: "A JSON file with the options below, without their dashes.")
        let settings = Setting.allCases.map { setting -> Mirror.Child in
            let (name, help) = (NameSpecification.customLong(setting.name), ArgumentHelp(setting.help))
            let flag = setting.isSwitch ? Flag(wrappedValue: false, name: name, help: help) as Any : Option<String?>(name: name, help: help)
            return (label: setting.name, value: flag)
        }
        return Mirror(self, children: [(label: Self.config, value: config)] + settings)
    }

    /// The settings given as flags, in the environment and in the file.
    func values() throws -> SettingValues {
        let environment = ProcessInfo.processInfo.environment
        let path = config ?? environment[ConfigurationFile.environmentName]
        return SettingValues(flags: flags, environment: environment, file: try path.map(ConfigurationFile.read(fileAt:)) ?? [:])
    }
}

private struct Label: CodingKey {
    let stringValue: String

    init(_ name: String) {
        stringValue = name
    }

    init?(stringValue: String) {
        self.init(stringValue)
    }

    init?(intValue: Int) { return nil }

    var intValue: Int? { nil }
}
