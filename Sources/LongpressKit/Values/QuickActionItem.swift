public import Foundation
internal import QuickActions

/// A quick action in one language, with the properties of `UIApplicationShortcutItem`.
public struct QuickActionItem: Sendable, Equatable {
    /// An icon. If it has several properties, the symbol comes before the image, and the image before the type.
    public struct Icon: Sendable, Equatable {
        /// The name of an SF Symbol.
        public let systemImageName: String?
        /// The name of an image in the app's assets.
        public let templateImageName: String?
        /// The name of one of the 29 system types, as `UIApplicationShortcutIcon.IconType` spells it: `search`.
        public let type: String?

        /// Creates an icon.
        public init(systemImageName: String? = nil, templateImageName: String? = nil, type: String? = nil) {
            self.systemImageName = systemImageName
            self.templateImageName = templateImageName
            self.type = type
        }
    }

    /// `UIApplicationShortcutItem.type`. Several items may have the same one.
    public let type: String
    /// `localizedTitle`.
    public let title: String
    /// `localizedSubtitle`.
    public let subtitle: String?
    /// The icon, if the item has one.
    public let icon: Icon?
    /// Selects the scene that gets the tap, as `UISceneActivationConditions` describes.
    public let targetContentIdentifier: String?
    /// Whether the system shows the item. It shows four, static items first. All items are registered.
    public let isVisible: Bool
    /// The item's own values and the version tag, whose keys begin with `longpress.`. Register all of it.
    public let userInfo: [String: PropertyListValue]
    /// `longpress.item` of the version tag, which identifies the item.
    public let id: String?
    /// `longpress.url` of the version tag: the URL that the item opens.
    public let url: URL?

    /// Creates an item, for tests and previews. Without an ``id`` or ``url``, it has those of the version tag in `userInfo`.
    public init(
        type: String, title: String, subtitle: String? = nil, icon: Icon? = nil, targetContentIdentifier: String? = nil,
        isVisible: Bool = true, userInfo: [String: PropertyListValue] = [:], id: String? = nil, url: URL? = nil
    ) {
        self.type = type
        self.title = title
        self.subtitle = subtitle
        self.icon = icon
        self.targetContentIdentifier = targetContentIdentifier
        self.isVisible = isVisible
        self.userInfo = userInfo
        let (tagID, tagURL) = (userInfo[VersionTag.Name.item.string], userInfo[VersionTag.Name.url.string])
        if id == nil, case .string(let tagID)? = tagID { self.id = tagID } else { self.id = id }
        if url == nil, case .string(let tagURL)? = tagURL { self.url = URL(string: tagURL) } else { self.url = url }
    }
}

extension QuickActionItem {
    init(_ item: ServedItem) {
        self.init(
            type: item.type.string, title: item.title.string, subtitle: item.subtitle?.string, icon: item.icon.map(Icon.init),
            targetContentIdentifier: item.targetContentIdentifier?.string, isVisible: item.isVisible, userInfo: .init(item.userInfo))
    }
}

extension QuickActionItem.Icon {
    init(_ icon: ServedItem.Icon) {
        self.init(
            systemImageName: icon.systemImageName?.string, templateImageName: icon.templateImageName?.string, type: icon.type?.string)
    }
}
