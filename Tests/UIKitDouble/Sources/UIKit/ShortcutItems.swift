@_exported import Foundation

#if canImport(FoundationNetworking)
    // On Apple's platforms Foundation has URLSession.
    @_exported import FoundationNetworking
#endif

/// https://developer.apple.com/documentation/uikit/uiresponder
@MainActor open class UIResponder: NSObject {
    public required override init() {}
}

/// https://developer.apple.com/documentation/uikit/uiapplicationshortcuticon
@MainActor open class UIApplicationShortcutIcon: NSObject {
    /// https://developer.apple.com/documentation/uikit/uiapplicationshortcuticon/icontype
    public enum IconType: Int, Sendable {
        case compose, play, pause, add, location, search, share, prohibit, contact, home, markLocation, favorite, love, cloud, invitation
        case confirmation, mail, message, date, time, capturePhoto, captureVideo, task, taskCompleted, alarm, bookmark, shuffle, audio
        case update
    }

    /// Only in the double: the source of the icon, for tests.
    public let source: String

    /// https://developer.apple.com/documentation/uikit/uiapplicationshortcuticon/init(type:)
    public convenience init(type: IconType) { self.init(source: "type \(type)") }
    /// https://developer.apple.com/documentation/uikit/uiapplicationshortcuticon/init(templateimagename:)
    public convenience init(templateImageName: String) { self.init(source: "image \(templateImageName)") }
    /// https://developer.apple.com/documentation/uikit/uiapplicationshortcuticon/init(systemimagename:)
    public convenience init(systemImageName: String) { self.init(source: "symbol \(systemImageName)") }

    private init(source: String) { self.source = source }

    /// Equality by value is not documented; UIKit's class overrides it, as its headers at run time show.
    open nonisolated override func isEqual(_ object: Any?) -> Bool {
        (object as? UIApplicationShortcutIcon)?.source == source
    }
}

/// https://developer.apple.com/documentation/uikit/uiapplicationshortcutitem: "an immutable object".
@MainActor open class UIApplicationShortcutItem: NSObject {
    fileprivate var fields: Fields

    fileprivate struct Fields {
        var type: String
        var localizedTitle: String
        var localizedSubtitle: String?
        var icon: UIApplicationShortcutIcon?
        var userInfo: [String: any NSSecureCoding]?
        var targetContentIdentifier: Any?
    }

    /// https://developer.apple.com/documentation/uikit/uiapplicationshortcutitem/type
    open var type: String { fields.type }
    /// https://developer.apple.com/documentation/uikit/uiapplicationshortcutitem/localizedtitle
    open var localizedTitle: String { fields.localizedTitle }
    /// https://developer.apple.com/documentation/uikit/uiapplicationshortcutitem/localizedsubtitle
    open var localizedSubtitle: String? { fields.localizedSubtitle }
    /// https://developer.apple.com/documentation/uikit/uiapplicationshortcutitem/icon
    open var icon: UIApplicationShortcutIcon? { fields.icon }
    /// https://developer.apple.com/documentation/uikit/uiapplicationshortcutitem/userinfo
    open var userInfo: [String: any NSSecureCoding]? { fields.userInfo }
    /// https://developer.apple.com/documentation/uikit/uiapplicationshortcutitem/targetcontentidentifier
    open var targetContentIdentifier: Any? { fields.targetContentIdentifier }

    /// https://developer.apple.com/documentation/uikit/uiapplicationshortcutitem/init(type:localizedtitle:localizedsubtitle:icon:userinfo:)
    public init(
        type: String, localizedTitle: String, localizedSubtitle: String?, icon: UIApplicationShortcutIcon?,
        userInfo: [String: any NSSecureCoding]? = nil
    ) {
        fields = Fields(
            type: type, localizedTitle: localizedTitle, localizedSubtitle: localizedSubtitle, icon: icon, userInfo: userInfo)
    }

    /// https://developer.apple.com/documentation/uikit/uiapplicationshortcutitem/init(type:localizedtitle:)
    public convenience init(type: String, localizedTitle: String) {
        self.init(type: type, localizedTitle: localizedTitle, localizedSubtitle: nil, icon: nil, userInfo: nil)
    }

    /// https://developer.apple.com/documentation/uikit/uiapplication/shortcutitems: the system archives the registered items, so they and
    /// the items of taps are other objects. "The values must be property-list types"; any other raises.
    public func archivedDouble() -> UIApplicationShortcutItem {
        for (key, value) in userInfo ?? [:] {
            precondition(Self.isPropertyList(value), "NSInvalidArgumentException: userInfo[\(key)] is not a property list value")
        }
        let copy = UIApplicationShortcutItem(
            type: type, localizedTitle: localizedTitle, localizedSubtitle: localizedSubtitle, icon: icon, userInfo: userInfo)
        copy.fields = fields
        return copy
    }

    private static func isPropertyList(_ value: Any) -> Bool {
        switch value {
        case is NSString, is NSNumber, is NSDate, is NSData, is String, is Date, is Data: true
        case let array as [Any]: array.allSatisfy(isPropertyList)
        case let dictionary as [String: Any]: dictionary.values.allSatisfy(isPropertyList)
        default: false
        }
    }
}

/// https://developer.apple.com/documentation/uikit/uimutableapplicationshortcutitem
@MainActor open class UIMutableApplicationShortcutItem: UIApplicationShortcutItem {
    /// https://developer.apple.com/documentation/uikit/uimutableapplicationshortcutitem/type
    open override var type: String {
        get { fields.type }
        set { fields.type = newValue }
    }
    /// https://developer.apple.com/documentation/uikit/uimutableapplicationshortcutitem/localizedtitle
    open override var localizedTitle: String {
        get { fields.localizedTitle }
        set { fields.localizedTitle = newValue }
    }
    /// https://developer.apple.com/documentation/uikit/uimutableapplicationshortcutitem/localizedsubtitle
    open override var localizedSubtitle: String? {
        get { fields.localizedSubtitle }
        set { fields.localizedSubtitle = newValue }
    }
    /// https://developer.apple.com/documentation/uikit/uimutableapplicationshortcutitem/icon
    open override var icon: UIApplicationShortcutIcon? {
        get { fields.icon }
        set { fields.icon = newValue }
    }
    /// https://developer.apple.com/documentation/uikit/uimutableapplicationshortcutitem/userinfo
    open override var userInfo: [String: any NSSecureCoding]? {
        get { fields.userInfo }
        set { fields.userInfo = newValue }
    }
    /// https://developer.apple.com/documentation/uikit/uimutableapplicationshortcutitem/targetcontentidentifier
    open override var targetContentIdentifier: Any? {
        get { fields.targetContentIdentifier }
        set { fields.targetContentIdentifier = newValue }
    }
}
