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
