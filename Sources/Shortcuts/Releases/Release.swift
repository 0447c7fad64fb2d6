import QuickActions

/// One version and build of an app. It determines the visible budget and the warnings.
package struct Release: Hashable, Sendable {
    package let id: AppBuild
    package let staticItems: [StaticItem]
    package let urlSchemes: [Text]
    /// Nil if the assets are unknown; then none is reported as missing.
    package internal(set) var assets: Assets?
    package let minimumOSVersion: Text?
    package let displayName: Text?
    var unknown = UnknownMembers.none

    package struct Assets: Hashable, Sendable {
        package let images: [Text]
        package let symbols: [Text]
        var unknown = UnknownMembers.none

        /// The limit of names of each kind.
        static let limit = 10_000

        package init(images: [Text], symbols: [Text]) {
            self.images = images
            self.symbols = symbols
        }
    }

    /// A copy with the previous assets if this release has none: an Info.plist does not list assets.
    package func keepingAssets(of previous: Release?) -> Release {
        with(assets ?? previous?.assets)
    }

    func with(_ assets: Assets?) -> Release {
        var release = self
        release.assets = assets
        return release
    }
}

/// A static quick action of Info.plist. Title and subtitle are keys into `InfoPlist.strings`.
package struct StaticItem: Hashable, Sendable {
    package let type: Text
    package let title: Text
    package let subtitle: Text?
    package let icon: ShortcutIcon?
    package let userInfo: PropertyList.Dictionary
    var unknown = UnknownMembers.none
}

extension Release {
    /// The flaws of the static items, each new unless the former release has it too.
    func warnings(after previous: Release?) -> [Warning] {
        Warning.marked(staticItemWarnings(at: .root), newSince: previous?.staticItemWarnings(at: .root) ?? [])
    }

    func staticItemWarnings(at path: DocumentPath) -> [Warning] {
        staticItems.enumerated().flatMap { index, item in
            [("title", item.title), ("subtitle", item.subtitle)].flatMap { member, text in
                let path = path["staticItems"][index][Text(member)]
                return (text?.displayFlaws ?? []).map { flaw in
                    Warning(path: path, code: flaw.code, about: [item.type.string, member], message: "\(path) \(flaw.message)")
                }
            }
        }
    }
}

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
