import QuickActions

/// The inverse of `InfoPlist.staticItems`.
extension Release {
    /// An XML property list with only `UIApplicationShortcutItems`, to be pasted into an Info.plist.
    package var staticPropertyList: [UInt8] {
        let fragment: JSON = ["UIApplicationShortcutItems": .array(staticItems.map(\.infoPlistJSON))]
        return fragment.xmlPropertyList
    }
}

extension StaticItem {
    fileprivate var infoPlistJSON: JSON {
        [
            "UIApplicationShortcutItemType": .string(type), "UIApplicationShortcutItemTitle": .string(title),
            "UIApplicationShortcutItemSubtitle": subtitle.map { .string($0) },
            "UIApplicationShortcutItemIconType": icon?.type.map { .string($0.infoPlistName) },
            "UIApplicationShortcutItemIconFile": icon?.file.map { .string($0) },
            "UIApplicationShortcutItemIconSymbolName": icon?.symbol.map { .string($0) },
            "UIApplicationShortcutItemUserInfo": userInfo.isEmpty ? nil : userInfo.json,
        ]
    }
}
