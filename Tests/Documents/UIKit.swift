// As much of UIKit as docs/ios.md uses, with Apple's signatures, so that its Swift is compiled and run where there is none.
@_exported import Foundation

#if canImport(FoundationNetworking)
    @_exported import FoundationNetworking
#endif

#if RUN
    /// Without Objective-C no Swift value is an `NSSecureCoding`. To compile, Apple's type stands; to run, any value is one.
    public typealias NSSecureCoding = Any
#endif

@MainActor open class UIResponder: NSObject {}

@MainActor open class UIApplication: UIResponder {
    public static let shared = UIApplication()
    open var shortcutItems: [UIApplicationShortcutItem]?
}

@MainActor open class UIApplicationShortcutIcon: NSObject {
    public enum IconType: Int, Sendable {
        case compose, play, pause, add, location, search, share, prohibit, contact, home, markLocation, favorite, love, cloud, invitation
        case confirmation, mail, message, date, time, capturePhoto, captureVideo, task, taskCompleted, alarm, bookmark, shuffle, audio
        case update
    }

    /// What it was made of, for tests.
    public let source: String

    public convenience init(type: IconType) { self.init(source: "type \(type.rawValue)") }
    public convenience init(templateImageName: String) { self.init(source: "image \(templateImageName)") }
    public convenience init(systemImageName: String) { self.init(source: "symbol \(systemImageName)") }

    private init(source: String) { self.source = source }
}

@MainActor open class UIApplicationShortcutItem: NSObject {
    public let type: String
    public let localizedTitle: String
    public let localizedSubtitle: String?
    public let icon: UIApplicationShortcutIcon?
    public let userInfo: [String: any NSSecureCoding]?
    public fileprivate(set) var content: Any?
    open var targetContentIdentifier: Any? { content }

    public init(
        type: String, localizedTitle: String, localizedSubtitle: String?, icon: UIApplicationShortcutIcon?,
        userInfo: [String: any NSSecureCoding]? = nil
    ) {
        (self.type, self.localizedTitle, self.localizedSubtitle) = (type, localizedTitle, localizedSubtitle)
        (self.icon, self.userInfo) = (icon, userInfo)
    }
}

@MainActor open class UIMutableApplicationShortcutItem: UIApplicationShortcutItem {
    open override var targetContentIdentifier: Any? {
        get { content }
        set { content = newValue }
    }
}

@MainActor open class UIScene: UIResponder {
    @MainActor open class ConnectionOptions: NSObject {
        open var shortcutItem: UIApplicationShortcutItem?
    }
}

@MainActor open class UIWindowScene: UIScene {}
@MainActor open class UISceneSession: NSObject {}

@MainActor public protocol UIWindowSceneDelegate: NSObjectProtocol {
    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions)
    func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem, completionHandler: @escaping (Bool) -> Void)
}
