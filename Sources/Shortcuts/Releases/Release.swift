import QuickActions

/// What is known of one (version, build) of an app: it decides the visible budget and the warnings.
package struct Release: Hashable, Sendable {
    package let id: AppBuild
    package let staticItems: [StaticItem]
    package let urlSchemes: [Text]
    /// Nil when the assets are not known; such a release warns of none.
    package let assets: Assets?
    package let minimumOSVersion: Text?
    package let displayName: Text?

    package struct Assets: Hashable, Sendable {
        package let images: [Text]
        package let symbols: [Text]

        package init(images: [Text], symbols: [Text]) {
            self.images = images
            self.symbols = symbols
        }
    }

    package init(
        id: AppBuild, staticItems: [StaticItem], urlSchemes: [Text], assets: Assets?, minimumOSVersion: Text?,
        displayName: Text?
    ) {
        self.id = id
        self.staticItems = staticItems
        self.urlSchemes = urlSchemes
        self.assets = assets
        self.minimumOSVersion = minimumOSVersion
        self.displayName = displayName
    }

    /// Importing a plist keeps the assets that were known: a plist does not list them.
    package func keepingAssets(of previous: Release?) -> Release {
        with(assets ?? previous?.assets)
    }

    func with(_ assets: Assets?) -> Release {
        Release(
            id: id, staticItems: staticItems, urlSchemes: urlSchemes, assets: assets, minimumOSVersion: minimumOSVersion,
            displayName: displayName)
    }
}

/// A static quick action of Info.plist. Its title is a key into `InfoPlist.strings`.
package struct StaticItem: Hashable, Sendable {
    package let type: Text
    package let title: Text
    package let subtitle: Text?
    package let icon: ShortcutIcon?
    package let userInfo: PropertyList.Dictionary
}
