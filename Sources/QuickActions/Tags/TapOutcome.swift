/// What a tap comes to for the version that is installed now.
package enum TapOutcome: String, Sendable, CaseIterable {
    case current, equivalent, changed, replaced, retired, removed, `static`, untagged, unknown
}

/// The tag's version beside the installed one.
package enum TapOrigin: String, Sendable {
    case same, past, future, unknown

    package init(of tagged: AppBuild, installed: AppBuild) {
        self = tagged.isAbove(installed) ? .future : installed.isAbove(tagged) ? .past : .same
    }
}
