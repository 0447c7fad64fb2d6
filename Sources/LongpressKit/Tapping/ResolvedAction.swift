public import Foundation

/// What a tap means for the installed version of the app.
public struct ResolvedAction: Sendable, Equatable {
    /// The version that registered an item.
    public struct Registration: Sendable, Equatable {
        /// The version of the app, in three parts and with its build if the app has one: `2.1.0+512`.
        public let version: String
        /// The revision of the menu; nil if the version tag is damaged.
        public let revision: Int64?

        /// Creates a registration, for tests and previews.
        public init(version: String, revision: Int64?) {
            self.version = version
            self.revision = revision
        }
    }

    /// What happened to the tapped item. The raw values are those of the service's API, which does not know ``own``.
    public enum Outcome: String, Sendable {
        /// The item is unchanged since it was registered.
        case current
        /// The item does the same. Its titles, its language or its revision changed.
        case equivalent
        /// The item exists and does something different: act on ``ResolvedAction/item``, the current item.
        case changed
        /// Another item replaces it: act on ``ResolvedAction/item``, the other item.
        case replaced
        /// The item was retired: open ``ResolvedAction/url``, or just the app.
        case retired
        /// The item no longer exists: open ``ResolvedAction/url``, or just the app.
        case removed
        /// The tap has no version tag, and exactly one item has its type: act on ``ResolvedAction/item``.
        case untagged
        /// A static item of the app's Info.plist: act on its type.
        case `static`
        /// One of the app's own items: act on its ``ResolvedAction/id`` or ``ResolvedAction/url``.
        case own
        /// The tap could not be resolved: open ``ResolvedAction/url``, or just the app.
        case unknown
    }

    /// Where a resolution comes from.
    public enum Source: Sendable {
        /// The service's answer to this tap.
        case server
        /// The stored or bundled documents.
        case continuity
        /// Neither: only the tap itself and the configured static types.
        case none
    }

    /// What happened to the tapped item.
    public let outcome: Outcome
    /// `UIApplicationShortcutItem.type` of the tapped item.
    public let type: String
    /// The id of the tapped item, not of ``item``; nil without a version tag.
    public let id: String?
    /// The item to act on, as the service serves it; nil if there is no item.
    public let item: QuickActionItem?
    /// The item's URL or, if there is no item, the nearest fallback. If nil, just open the app.
    public let url: URL?
    /// Whether the registered menu is out of date. `Longpress` then refreshes it.
    public let needsRefresh: Bool
    /// The `userInfo` that the tapped item was registered with, without the keys that begin with `longpress.`.
    public let tapped: [String: PropertyListValue]
    /// The version of the app that registered the tapped item; nil without a version tag.
    public let registeredBy: Registration?
    /// The values of a personal item, such as a name. They come from the app and have not left the device.
    public let values: [String: String]
    /// The scene that got the tap, as `UISceneSession.persistentIdentifier`; nil without scenes.
    public let scene: String?
    /// Where the resolution comes from.
    public let source: Source

    /// Creates an action, for tests and previews.
    public init(
        outcome: Outcome, type: String, id: String? = nil, item: QuickActionItem? = nil, url: URL? = nil, needsRefresh: Bool = false,
        tapped: [String: PropertyListValue] = [:], registeredBy: Registration? = nil, values: [String: String] = [:],
        scene: String? = nil, source: Source = .none
    ) {
        self.outcome = outcome
        self.type = type
        self.id = id
        self.item = item
        self.url = url
        self.needsRefresh = needsRefresh
        self.tapped = tapped
        self.registeredBy = registeredBy
        self.values = values
        self.scene = scene
        self.source = source
    }
}
