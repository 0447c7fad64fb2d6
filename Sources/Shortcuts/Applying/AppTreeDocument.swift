import QuickActions

/// An app of an apply: `{"app"?, "sets"?, "releases"?}`. Sets are named `2.0.0` or `2.0.0@member`, releases `3.0.0` or `3.0.0+512`, in any
/// spelling of the version.
struct AppTreeDocument {
    private let json: JSON
    private let id: AppID

    init(_ json: JSON, of id: AppID) {
        self.json = json
        self.id = id
    }

    /// - Parameter defaultLanguage: the stored app's; nil if the app is not stored.
    func read(_ checker: DocumentChecker, at path: DocumentPath, defaultLanguage: LanguageTag?) -> AppTree? {
        guard let document = checker.object(json, at: path, known: ["app", "sets", "releases"]) else { return nil }
        let app = document.optional("app") { AppDocument($0).read(checker, at: $1, for: id) }
        // With an invalid app document, the language in which titles are required is unknown.
        let language = document.has("app") ? app?.defaultLanguage : defaultLanguage
        let sets = document.optional("sets") { json, path in
            checker.entries(of: json, at: path) { set($0, $1, at: $2, checker, titlesIn: language) }
        }
        let releases = document.optional("releases") { json, path in
            checker.entries(of: json, at: path) { name, json, path in
                release(name, json, at: path, checker).map { (name, $0, path) }
            }
        }
        return AppTree(
            id: id, app: app, releases: unique(releases ?? [], checker), sets: unique(sets ?? [], checker), path: path)
    }

    private func set(
        _ name: Text, _ json: JSON, at path: DocumentPath, _ checker: DocumentChecker, titlesIn language: LanguageTag?
    ) -> (Text, TreeSet)? {
        let key = checker.setName(name, at: path)
        let set = ShortcutSetDocument(json, titlesIn: language).read(checker, at: path)
        guard let key, let set else { return nil }
        return (name, TreeSet(key: key, set: set, path: path))
    }

    private func unique(_ sets: [(name: Text, set: TreeSet)], _ checker: DocumentChecker) -> [TreeSet] {
        var names: [SetName: Text] = [:]
        for (name, set) in sets {
            guard let other = names.updateValue(name, forKey: set.key) else { continue }
            checker.note(
                "duplicate-id", at: set.path,
                "\(quoted(name.string)) and \(quoted(other.string)) are the same set, \(set.key.inWords). Keep one of them.")
        }
        return sets.map(\.set).sorted { $0.key < $1.key }
    }
}

extension AppTreeDocument {
    /// Reads the same body as `PUT …/releases/{version}`: a JSON document, or `{"infoPlist"}` with the plist's bytes as base64.
    private func release(_ name: Text, _ json: JSON, at path: DocumentPath, _ checker: DocumentChecker) -> TreeRelease? {
        let named: AppBuild? = checker.name(name.string, at: path, "invalid-version")
        if json["infoPlist"] != nil {
            guard let document = checker.object(json, at: path, known: ["infoPlist"]) else { return nil }
            return document.optional("infoPlist") { json, path in
                guard let bytes = checker.base64(json, at: path, InfoPlist.howToSend), let named else { return nil }
                return plist(bytes, named, at: path, checker).map { TreeRelease(release: $0, keepsAssets: true) }
            }
        }
        guard let named else { return nil }
        return ReleaseDocument(json).read(checker, at: path, for: named).map { TreeRelease(release: $0, keepsAssets: false) }
    }

    private func plist(_ bytes: [UInt8], _ named: AppBuild, at path: DocumentPath, _ checker: DocumentChecker) -> Release? {
        do throws(Failure) {
            return try InfoPlist(bytes).release(named, of: id)
        } catch {
            for violation in error.asViolations(at: "") { checker.note(violation.moved(beneath: path)) }
            return nil
        }
    }

    private func unique(_ releases: [(name: Text, release: TreeRelease, path: DocumentPath)], _ checker: DocumentChecker) -> [TreeRelease] {
        var names: [AppBuild: Text] = [:]
        for (name, release, path) in releases {
            guard let other = names.updateValue(name, forKey: release.release.id) else { continue }
            checker.note(
                "duplicate-id", at: path,
                "\(quoted(name.string)) and \(quoted(other.string)) are the same release, \(release.release.id). Keep one of them.")
        }
        return releases.map(\.release).sorted { AppBuild.releaseOrder($0.release.id, $1.release.id) }
    }
}

extension Violation {
    /// The violation with its path below `parent`.
    func moved(beneath parent: DocumentPath) -> Violation {
        let joined = path.isEmpty || path.hasPrefix("[") ? "\(parent)\(path)" : "\(parent).\(path)"
        return Violation(path: joined, code: code, message: message)
    }
}

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

    func set(_ key: SetName) -> TreeSet? {
        sets.first { $0.key == key }
    }
}

/// A set of a tree.
struct TreeSet: Sendable {
    let key: SetName
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
