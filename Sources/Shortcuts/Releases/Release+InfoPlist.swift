import QuickActions

/// The way back from `InfoPlist`: what it reads of static items is what is written here.
extension Release {
    /// A fragment of Info.plist (XML) with the static items and nothing else.
    package var staticPropertyList: [UInt8] {
        JSON.object([JSON.Member("UIApplicationShortcutItems", .array(staticItems.map(\.infoPlistJSON)))]).xmlPropertyList
    }
}

extension StaticItem {
    fileprivate var infoPlistJSON: JSON {
        .object(
            [
                JSON.Member("UIApplicationShortcutItemType", .string(type)),
                JSON.Member("UIApplicationShortcutItemTitle", .string(title)),
            ]
            .adding("UIApplicationShortcutItemSubtitle", subtitle.map(JSON.string))
            .adding("UIApplicationShortcutItemIconType", icon?.type.map { .string($0.infoPlistName) })
            .adding("UIApplicationShortcutItemIconFile", icon?.file.map(JSON.string))
            .adding("UIApplicationShortcutItemIconSymbolName", icon?.symbol.map(JSON.string))
            .adding("UIApplicationShortcutItemUserInfo", userInfo.isEmpty ? nil : userInfo.json))
    }
}
