import QuickActions

/// The content of an app in a tree of files: its document, releases and sets. It is validated, except for rules that depend on the rest of
/// the app, which `ApplyPlan` checks.
struct AppTree: Sendable {
    let id: AppID
    /// The app's document; nil does not change it.
    let app: RequestedApp?
    /// In `AppBuild.releaseOrder`, without duplicates.
    let releases: [TreeRelease]
    /// Ascending by audience and version, without duplicates.
    let sets: [TreeSet]
    /// The path of the app in the request's document.
    let path: DocumentPath

    func set(_ key: SetKey) -> TreeSet? {
        sets.first { $0.key == key }
    }
}

/// A set of a tree.
struct TreeSet: Sendable {
    let key: SetKey
    let set: ShortcutSet
    /// The path of the set in the request's document, with its name as it was sent.
    let path: DocumentPath
}

/// A release of a tree.
struct TreeRelease: Sendable {
    let release: Release
    /// Whether the stored assets stay: an Info.plist does not list any.
    let keepsAssets: Bool
}
