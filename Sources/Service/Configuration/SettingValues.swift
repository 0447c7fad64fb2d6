/// The given settings as text, with their origin. A flag takes precedence over the environment, and the environment over the file.
package struct SettingValues: Sendable {
    package enum Origin {
        case flag, environment, file
    }

    private let values: [Setting: (text: String, origin: Origin)]
    /// Whether the environment has a password that libpq itself reads.
    let hasLibpqPassword: Bool

    package init(flags: [Setting: String], environment: [String: String], file: [Setting: String] = [:]) {
        var values: [Setting: (text: String, origin: Origin)] = [:]
        for setting in Setting.allCases {
            if let text = flags[setting] {
                values[setting] = (text, .flag)
            } else if let text = environment[setting.environmentName] {
                values[setting] = (text, .environment)
            } else if let text = file[setting] {
                values[setting] = (text, .file)
            }
        }
        self.values = values
        hasLibpqPassword = environment["PGPASSWORD"] != nil
    }

    subscript(setting: Setting) -> String? { values[setting]?.text }

    package func origin(of setting: Setting) -> Origin? { values[setting]?.origin }
}

extension SettingValues: CustomReflectable {
    /// Empty: the values may be secrets.
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
