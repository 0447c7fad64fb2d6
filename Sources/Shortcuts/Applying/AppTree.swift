import QuickActions

/// The content of an app as a tree of files has it: its document, releases and sets. Validated, but for what depends on the rest of the
/// app, which `ApplyPlan` decides.
struct AppTree: Sendable {
    let id: AppID
    /// The app's document; nil leaves it as it is.
    let app: RequestedApp?
    /// In `AppBuild.releaseOrder`, each once.
    let releases: [TreeRelease]
    /// Ascending by audience and version, each once.
    let sets: [TreeSet]
    /// Where the app is in the request's document.
    let path: DocumentPath

    func set(_ key: SetKey) -> TreeSet? {
        sets.first { $0.key == key }
    }
}

/// A set of a tree.
struct TreeSet: Sendable {
    let key: SetKey
    let set: ShortcutSet
    /// Where it is in the request's document, under its name as it was sent.
    let path: DocumentPath
}

/// A release of a tree.
struct TreeRelease: Sendable {
    let release: Release
    /// Whether it keeps the assets that are stored: an Info.plist does not list any.
    let keepsAssets: Bool
}
