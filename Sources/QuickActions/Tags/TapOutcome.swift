/// The outcome of resolving a tap for the installed version (docs/ios.md, "Making sense of a tap").
package enum TapOutcome: String, Sendable, CaseIterable {
    case current, equivalent, changed, replaced, retired, removed, `static`, untagged, unknown
}

/// The tag's version relative to the installed one; `unknown` without a usable tag.
package enum TapOrigin: String, Sendable {
    case same, past, future, unknown

    package init(of tagged: AppBuild, installed: AppBuild) {
        self = tagged.isAbove(installed) ? .future : installed.isAbove(tagged) ? .past : .same
    }
}
