/// Only in the double: runs an app as a process. A line on standard input is an action of the person or the system. A line of JSON on
/// standard output is its result, or something that the app did on its own (`tell`).
///
/// `open` is a touch on the app's icon, `tap 0` one on the first registered quick action, `tap {"type": …, "userInfo": …}` one on an item
/// of an older version or of the Info.plist. `disconnect` removes the scene, `close` the window. `items` requests the registered items.
@MainActor public enum AppDouble {
    private static var system = SystemDouble()

    /// https://developer.apple.com/documentation/bundleresources/information-property-list/uiapplicationscenemanifest: the class of the
    /// delegate, by the configuration's name.
    public static func run(_ delegate: (any UIApplicationDelegate)?, hasScenes: Bool? = nil) -> Never {
        let manifest = Bundle.main.infoDictionary?["UIApplicationSceneManifest"] as? [String: Any]
        let roles = manifest?["UISceneConfigurations"] as? [String: Any]
        let declared = roles?[UISceneSession.Role.windowApplication.rawValue] as? [[String: Any]]
        let name = declared?.first?["UISceneConfigurationName"] as? String
        if let name, let delegateClass = declared?.first?["UISceneDelegateClassName"] as? String {
            UISceneConfiguration.manifestDouble[name] = NSClassFromString(delegateClass)
        }
        UIApplication.shared.delegate = delegate
        system = SystemDouble(hasScenes: hasScenes ?? (manifest != nil), configurationName: name)
        Task.detached {
            while let line = readLine() { await act(line) }
            exit(0)
        }
        dispatchMain()
    }

    /// The address of the service that a test runs.
    public static var server: URL {
        let text = Bundle.main.object(forInfoDictionaryKey: "LongpressServer") as? String
        return text.flatMap { URL(string: $0) } ?? URL(fileURLWithPath: "/")
    }

    /// A line of JSON.
    public static func tell(_ what: String, _ value: Any) {
        guard let line = try? JSONSerialization.data(withJSONObject: [what: value], options: .sortedKeys) else { return }
        FileHandle.standardOutput.write(line + Data("\n".utf8))
    }

    private static func act(_ line: String) {
        let parts = line.split(separator: " ", maxSplits: 1)
        let argument = parts.count == 2 ? String(parts[1]) : ""
        switch parts.first {
        case "open": system.open()
        case "tap": system.open(item(argument))
        case "disconnect": system.disconnect()
        case "close": system.closeWindow()
        default: break
        }
        let items = UIApplication.shared.shortcutItems ?? []
        let state: [String: Any] = ["line": line, "calls": system.calls, "items": items.map(description)]
        tell("done", state)
    }

    private static func item(_ text: String) -> UIApplicationShortcutItem {
        if let place = Int(text), let registered = UIApplication.shared.shortcutItems { return registered[place] }
        let members = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] ?? [:]
        return UIApplicationShortcutItem(
            type: members["type"] as? String ?? "", localizedTitle: "tapped", localizedSubtitle: nil, icon: nil,
            userInfo: (members["userInfo"] as? [String: Any])?.compactMapValues { value -> (any NSSecureCoding)? in
                if let number = value as? NSNumber { return number }
                return (value as? String).map { NSString(string: $0) }
            })
    }

    private static func description(_ item: UIApplicationShortcutItem) -> [String: Any] {
        let kinds = (item.userInfo ?? [:]).mapValues { value in
            value is NSDate ? "date" : value is NSData ? "data" : value is NSNumber ? "number" : "string"
        }
        return [
            "type": item.type, "title": item.localizedTitle, "icon": item.icon?.source ?? "",
            "target": item.targetContentIdentifier as? String ?? "", "kinds": kinds,
        ]
    }
}

extension UIApplicationDelegate {
    /// https://developer.apple.com/documentation/uikit/uiapplicationdelegate/main()
    public static func main() {
        AppDouble.run((self as? UIResponder.Type)?.init() as? any UIApplicationDelegate)
    }
}
