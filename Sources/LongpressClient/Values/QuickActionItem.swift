public import Foundation
internal import QuickActions

/// A quick action in one language, as the service says it. Its members are those of `UIApplicationShortcutItem`.
public struct QuickActionItem: Sendable, Equatable {
    /// Where several are given, the system takes the symbol before the image before the type.
    public struct Icon: Sendable, Equatable {
        /// An SF Symbol.
        public let systemImageName: String?
        /// An image of the app's assets.
        public let templateImageName: String?
        /// The name of one of the 29 system types, as `UIApplicationShortcutIcon.IconType` spells it: `search`.
        public let type: String?

        /// An icon in any of the three ways.
        public init(systemImageName: String? = nil, templateImageName: String? = nil, type: String? = nil) {
            self.systemImageName = systemImageName
            self.templateImageName = templateImageName
            self.type = type
        }
    }

    /// `UIApplicationShortcutItem.type`; several items may have one.
    public let type: String
    /// `localizedTitle`.
    public let title: String
    /// `localizedSubtitle`.
    public let subtitle: String?
    /// Nil where the item has none.
    public let icon: Icon?
    /// The scene that the item is meant for, as `UISceneActivationConditions` compares it.
    public let targetContentIdentifier: String?
    /// Whether the system shows it: four are shown, and the app's static items come first. The others are registered all the same.
    public let isVisible: Bool
    /// To be registered as it is: the item's own values and the version tag, whose keys begin with `longpress.`.
    public let userInfo: [String: PropertyListValue]
    /// `longpress.item` of the version tag: what tells items apart, also where two share a type.
    public let id: String?
    /// `longpress.url` of the version tag: where the item leads.
    public let url: URL?

    /// `id` and `url` are read from the version tag in `userInfo`.
    public init(
        type: String, title: String, subtitle: String? = nil, icon: Icon? = nil, targetContentIdentifier: String? = nil,
        isVisible: Bool = true, userInfo: [String: PropertyListValue] = [:]
    ) {
        self.type = type
        self.title = title
        self.subtitle = subtitle
        self.icon = icon
        self.targetContentIdentifier = targetContentIdentifier
        self.isVisible = isVisible
        self.userInfo = userInfo
        id = if case .string(let id)? = userInfo[VersionTag.Name.item.string] { id } else { nil }
        url = if case .string(let url)? = userInfo[VersionTag.Name.url.string] { URL(string: url) } else { nil }
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
