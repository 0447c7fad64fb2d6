public import Foundation

/// What a tap means for the installed version of the app.
public struct ResolvedAction: Sendable, Equatable {
    /// What happened to the tapped item. The raw values are those of the service's API.
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
        /// The tap could not be resolved: open ``ResolvedAction/url``, or just the app.
        case unknown
    }

    /// Where a resolution comes from.
    public enum Source: Sendable {
        /// The service's answer to this tap.
        case server
        /// The stored or bundled documents.
        case continuity
        /// Neither: only the tap and the configured static types.
        case none
    }

    /// What happened to the tapped item.
    public let outcome: Outcome
    /// The item to act on, as the service serves it; nil if there is no item.
    public let item: QuickActionItem?
    /// The item's URL or, if there is no item, the nearest fallback. If nil, just open the app.
    public let url: URL?
    /// Whether the registered menu is out of date. `Longpress` then refreshes it.
    public let needsRefresh: Bool
    /// The `userInfo` that the tapped item was registered with, without the version tag.
    public let tapped: [String: PropertyListValue]
    /// Where the resolution comes from.
    public let source: Source

    /// Creates an action, for tests and previews.
    public init(
        outcome: Outcome, item: QuickActionItem?, url: URL?, needsRefresh: Bool, tapped: [String: PropertyListValue], source: Source
    ) {
        self.outcome = outcome
        self.item = item
        self.url = url
        self.needsRefresh = needsRefresh
        self.tapped = tapped
        self.source = source
    }
}
