/// A tap on a quick action, as the system delivers it.
public struct QuickActionTap: Sendable {
    /// `UIApplicationShortcutItem.type`.
    public let type: String
    /// `UIApplicationShortcutItem.userInfo`, with the version tag that the item was registered with.
    public let userInfo: [String: PropertyListValue]

    /// Creates a tap.
    public init(type: String, userInfo: [String: PropertyListValue]) {
        self.type = type
        self.userInfo = userInfo
    }
}
