import QuickActions

/// The way back from `InfoPlist`: what it reads of static items is what is written here.
extension Release {
    /// A fragment of Info.plist (XML) with the static items and nothing else.
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
