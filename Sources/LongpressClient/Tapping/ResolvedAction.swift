public import Foundation

/// What a tap means for the version that is installed now.
public struct ResolvedAction: Sendable, Equatable {
    /// What became of the tapped item. The raw values are the service's.
    public enum Outcome: String, Sendable {
        /// The item as it was served.
        case current
        /// The item does the same and reads otherwise, or stands in another revision.
        case equivalent
        /// The item is still there and does something else now: act on today's.
        case changed
        /// Another item took it over: act on that.
        case replaced
        /// It is gone on purpose: go to `url`, or just open the app.
        case retired
        /// Nothing is known of it any more: go to `url`, or just open the app.
        case removed
        /// The tap has no version tag, and one item has its type: act on that.
        case untagged
        /// An item of the app's Info.plist: act on its type.
        case `static`
        /// Nothing is known of it: go to `url`, or just open the app.
        case unknown
    }

    /// Who says so.
    public enum Source: Sendable {
        /// The service was asked.
        case server
        /// The documents that the client keeps or the app carries.
        case continuity
        /// Neither: the tap itself, and what the app declares in its Info.plist.
        case none
    }

    /// What became of the tapped item.
    public let outcome: Outcome
    /// What to act on, as it would be served now.
    public let item: QuickActionItem?
    /// The item's URL; where there is no item, the nearest fallback. Nil where there is none: just open the app.
    public let url: URL?
    /// Whether the app should register the current menu.
    public let needsRefresh: Bool
    /// The `userInfo` of the tapped item without its version tag: what it said when it was registered.
    public let tapped: [String: PropertyListValue]
    /// Who says so.
    public let source: Source

    /// An action as it is given; nothing is checked.
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
