public import Foundation

/// What a tap means for the installed version of the app.
public struct ResolvedAction: Sendable, Equatable {
    /// What became of the tapped item. The raw values are the service's.
    public enum Outcome: String, Sendable {
        /// The item is still as it was registered.
        case current
        /// The item does the same; its titles, its language or its revision have changed.
        case equivalent
        /// The item still exists and does something else now: act on ``ResolvedAction/item``, which is as it is today.
        case changed
        /// Another item replaces it: act on ``ResolvedAction/item``, which is that one.
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
        /// Neither: only the tap itself and the configured static types.
        case none
    }

    /// What became of the tapped item.
    public let outcome: Outcome
    /// The item to act on, as it would be served now; nil if there is none.
    public let item: QuickActionItem?
    /// The item's URL or, if there is no item, the nearest fallback. If nil, just open the app.
    public let url: URL?
    /// Whether the registered menu is out of date. `Longpress` then refreshes by itself.
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
