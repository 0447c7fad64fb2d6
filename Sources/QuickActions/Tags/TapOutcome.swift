/// The outcome of resolving a tap for the installed version (docs/ios.md, "What happens when").
package enum TapOutcome: String, Sendable, CaseIterable {
    case current, equivalent, changed, replaced, retired, removed, `static`, untagged, unknown

    /// Whether the app should fetch and register the current menu.
    package func needsRefresh(_ origin: TapOrigin) -> Bool {
        switch self {
        case .static: false
        case .current: origin != .same
        case .equivalent, .changed, .replaced, .retired, .removed, .untagged, .unknown: true
        }
    }
}

/// The tag's version relative to the installed one; `unknown` without a usable tag.
package enum TapOrigin: String, Sendable {
    case same, past, future, unknown

    package init(of tagged: AppBuild, installed: AppBuild) {
        self = tagged.isAbove(installed) ? .future : installed.isAbove(tagged) ? .past : .same
    }
}
