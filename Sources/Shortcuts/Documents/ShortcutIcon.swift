import QuickActions

/// What is drawn beside a title. When several are given the system takes symbol, then file, then type.
package struct ShortcutIcon: Hashable, Sendable {
    /// An SF Symbol (iOS 13).
    package let symbol: Text?
    /// A template image in the app's assets.
    package let file: Text?
    package let type: SystemIconType?
}
