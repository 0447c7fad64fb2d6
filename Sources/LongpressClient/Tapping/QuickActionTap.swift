/// A tap on a quick action, as the system hands it over: cold with the scene's connection options, or warm.
public struct QuickActionTap: Sendable {
    /// `UIApplicationShortcutItem.type`.
    public let type: String
    /// `UIApplicationShortcutItem.userInfo`, with the version tag that the item was registered with.
    public let userInfo: [String: PropertyListValue]

    /// A tap as it is given; nothing is checked.
    public init(type: String, userInfo: [String: PropertyListValue]) {
        self.type = type
        self.userInfo = userInfo
    }
}
