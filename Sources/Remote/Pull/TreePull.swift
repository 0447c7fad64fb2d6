import Foundation
import QuickActions

/// Writes the menus of a service as a tree. Only documents that differ are written. A file with changes that were not applied is merged
/// with the service's document, or stays, with the service's document beside it (`2.0.0.json.theirs`).
package struct TreePull {
    /// One change to the tree.
    package enum Step: Sendable {
        case write(path: String, [UInt8])
        case remove(path: String)
        /// The file has changes that collide with the service's. It was not changed.
        case conflict(path: String)
        /// A sentence about something that the pull leaves unchanged.
        case note(String)

        package var isChange: Bool {
            switch self {
            case .write, .remove: true
            case .conflict, .note: false
            }
        }

        package var isConflict: Bool {
            if case .conflict = self { true } else { false }
        }
    }

    private let service: RemoteService
    private let catalogs: StringCatalogs
    private let tree: MenuTree
    /// The tree with keys replaced by texts.
    private let resolved: MenuTree
    private let overwriting: NamedDocuments
    private var steps: [Step] = []

    /// Reads the tree and the service, and returns the steps without performing them.
    /// - Parameters:
    ///   - apps: the apps to pull; empty for all to which the token has access.
    ///   - overwriting: documents whose file may be lost, as `--overwrite` names them.
    package static func steps(
        into folder: String, from service: RemoteService, _ apps: [AppID], _ catalogs: StringCatalogs, overwriting: [String]
    ) throws(RemoteFailure) -> [Step] {
        let isThere = FileManager.default.fileExists(atPath: folder)
        let tree = isThere ? try TreeReader.read(folder) : MenuTree(folder: MenuTree.name(folder), apps: [:])
        let overwritten = try NamedDocuments(overwriting, option: "--overwrite", in: tree)
        var pull = TreePull(
            service: service, catalogs: catalogs, tree: tree, resolved: try tree.resolving(catalogs).tree, overwriting: overwritten)
        try pull.run(apps)
        return pull.steps
    }

    private init(
        service: RemoteService, catalogs: StringCatalogs, tree: MenuTree, resolved: MenuTree, overwriting: NamedDocuments
    ) {
        self.overwriting = overwriting
        self.service = service
        self.catalogs = catalogs
        self.tree = tree
        self.resolved = resolved
    }

    /// An app as the service has it.
    private struct RemoteApp {
        let app: AppID
        let document: JSON
        let sets: [SetName]
        /// The sets with a running campaign: when it ends, and the set that is published then.
        let campaigns: [SetName: (at: String, set: JSON?)]
        let releases: [(id: AppBuild, document: JSON)]

        var names: Set<DocumentName> {
            Set([.app] + sets.map { .set($0) } + releases.map { .release($0.id) })
        }
    }

    private mutating func run(_ wanted: [AppID]) throws(RemoteFailure) {
        let current = try current(wanted)
        var common: [AppID: [DocumentName: TreeFile]] = [:]
        for app in current {
            let files = (resolved.apps[app.app] ?? [:]).filter { app.names.contains($0.key) || $0.key.isSet }
            if !files.isEmpty { common[app.app] = files }
        }
        let compared = MenuTree(folder: tree.folder, apps: common)
        let comparison = try service.progress.showing("Comparing with \(service.address) …") { () throws(RemoteFailure) in
            try Comparison(of: compared, with: service)
        }
        for app in current { try update(app, comparison) }
        let here = Set(current.map(\.app))
        for app in tree.apps.keys.sorted() where !here.contains(app) && (wanted.isEmpty || wanted.contains(app)) {
            steps.append(.note("\(tree.folder)/\(app) was not changed. \(service.address) has no such app, or this token cannot read it."))
        }
    }

    private func current(_ wanted: [AppID]) throws(RemoteFailure) -> [RemoteApp] {
        let all = try service.progress.showing("Reading \(service.address) …") { () throws(RemoteFailure) in try service.apps() }
        let missing = wanted.filter { app in !all.contains { $0.id == app } }
        guard missing.isEmpty else {
            throw RemoteFailure(missing.map { "\(service.address) has no app \"\($0)\", or this token cannot read it." })
        }
        var current: [RemoteApp] = []
        let apps = all.filter { wanted.isEmpty || wanted.contains($0.id) }
        for (index, app) in apps.enumerated() {
            current.append(
                try service.progress.showing("Reading \(app.id), \(index + 1) of \(apps.count) …") { () throws(RemoteFailure) in
                    let sets = try service.sets(of: app.id)
                    return RemoteApp(
                        app: app.id, document: app.document, sets: sets.map(\.name),
                        campaigns: try service.campaigns(of: app.id, among: sets), releases: try service.releases(of: app.id))
                })
        }
        return current
    }

    private mutating func update(_ app: RemoteApp, _ comparison: Comparison) throws(RemoteFailure) {
        let files = tree.apps[app.app] ?? [:]
        let differing = comparison.differing[app.app] ?? [:]
        for name in [.app] + app.sets.map({ .set($0) }) + app.releases.map({ .release($0.id) }) as [DocumentName] {
            if case .set(let set) = name, let end = app.campaigns[set], !overwriting.contain(name, of: app.app) {
                leaveCampaign(name, endingAt: end.at, end.set, file: files[name], of: app.app)
                continue
            }
            guard let file = files[name], !overwriting.contain(name, of: app.app) else {
                if files[name] == nil || differing[name] != nil { try write(name, of: app) }
                continue
            }
            switch differing[name] {
            case nil: break
            case .unmodified?: try write(name, of: app)
            case .modified?: steps.append(.note("\(file.path) has changes that were not applied. It was not changed."))
            case .merged(let document)?: write(withKeys(document, name, of: app.app), name, of: app.app)
            case .conflict?:
                guard let document = try document(name, of: app) else { break }
                steps.append(.write(path: file.path + ".theirs", document.prettyPrinted))
                steps.append(.conflict(path: file.path))
            }
        }
        for (name, file) in files.sorted(by: { $0.key.precedes($1.key) }) where name.isSet && !app.names.contains(name) {
            try removeIfDeleted(name, file, of: app, differing[name])
        }
    }

    /// In git, a campaign would be published again after its end, for good.
    /// - Parameter set: what the end publishes; nil for a deletion.
    private mutating func leaveCampaign(_ name: DocumentName, endingAt time: String, _ set: JSON?, file: TreeFile?, of app: AppID) {
        let path = file?.path ?? "\(tree.folder)/\(app)/\(name.fileName)"
        guard file == nil, let set else {
            return steps.append(.note("\(path) was not changed, because a campaign runs until \(time)."))
        }
        write(set, name, of: app)
        steps.append(.note("A campaign runs until \(time). \(path) gets the set that is published then."))
    }

    /// The file of a set that the service does not have.
    private mutating func removeIfDeleted(
        _ name: DocumentName, _ file: TreeFile, of app: RemoteApp, _ difference: Comparison.Difference?
    ) throws(RemoteFailure) {
        if case .unmodified? = difference { return steps.append(.remove(path: file.path)) }
        if overwriting.contain(name, of: app.app) { return steps.append(.remove(path: file.path)) }
        // A file of a set that the service never had stays.
        guard case .set(let set) = name, try service.revisedSets(of: app.app).contains(set) else { return }
        steps.append(.conflict(path: file.path))
        steps.append(.note("\(service.address) has deleted the set of \(file.path), which has changes that were not applied."))
    }

    private mutating func write(_ name: DocumentName, of app: RemoteApp) throws(RemoteFailure) {
        if let document = try document(name, of: app) { write(document, name, of: app.app) }
    }

    /// The service's document; nil if somebody has deleted it meanwhile.
    private func document(_ name: DocumentName, of app: RemoteApp) throws(RemoteFailure) -> JSON? {
        switch name {
        case .app: return app.document
        case .release(let id): return app.releases.first { $0.id == id }?.document
        case .set(let set):
            let document = try service.progress.showing("Reading \(app.app) \(set) …") { () throws(RemoteFailure) in
                try service.set(set, of: app.app)
            }
            return document.map { withKeys($0, name, of: app.app) }
        }
    }

    /// A file keeps its name. An Info.plist is the exception, because the service only has JSON of a release.
    private mutating func write(_ document: JSON, _ name: DocumentName, of app: AppID) {
        let file = tree.apps[app]?[name]
        var path = file?.path ?? "\(tree.folder)/\(app)/\(name.fileName)"
        if case .infoPlist? = file?.content {
            steps.append(.remove(path: path))
            path = String(path.dropLast(".plist".count)) + ".json"
        }
        steps.append(.write(path: path, document.prettyPrinted))
    }

    /// The set with the keys of the tree, as far as their texts equal those of the service.
    private func withKeys(_ set: JSON, _ name: DocumentName, of app: AppID) -> JSON {
        guard case .json(let kept)? = tree.apps[app]?[name]?.content, case .json(let texts)? = resolved.apps[app]?[name]?.content else {
            return set
        }
        return set.takingKeys(of: kept, where: texts)
    }
}

extension JSON {
    /// - Parameters:
    ///   - kept: the set with its keys.
    ///   - texts: the same set with the texts of those keys.
    fileprivate func takingKeys(of kept: JSON, where texts: JSON) -> JSON {
        let keyed = Dictionary(
            zip(kept.elements("items"), texts.elements("items")).compactMap { item, text in item.text("id").map { ($0, (item, text)) } },
            uniquingKeysWith: { first, _ in first })
        return replacing("items") { items in
            guard case .array(let elements) = items else { return items }
            return .array(
                elements.map { item in
                    guard let (previous, texts) = item.text("id").flatMap({ keyed[$0] }) else { return item }
                    return (["title", "subtitle"] as [Text]).reduce(item) { item, member in
                        item.replacing(member) { title in
                            guard let key = previous[member], key.catalogKey != nil, title.hasSameTexts(as: texts[member]) else {
                                return title
                            }
                            return key
                        }
                    }
                })
        }
    }

    /// Compares texts by language. The order and the spelling of the languages do not matter.
    private func hasSameTexts(as other: JSON?) -> Bool {
        guard let other else { return false }
        return textsByLanguage == other.textsByLanguage
    }

    private var textsByLanguage: [LanguageTag?: Text] {
        Dictionary(
            members.compactMap { member in
                guard case .string(let text) = member.value else { return nil }
                return (LanguageTag(member.name.string), text)
            }, uniquingKeysWith: { first, _ in first })
    }
}

extension TreePull {
    /// Performs the steps of a pull. Files are written before others are removed, so that a failure loses nothing.
    package static func perform(_ steps: [Step]) throws(RemoteFailure) {
        for case .write(let path, let bytes) in steps { try LocalFile.write(bytes, to: path) }
        for case .remove(let path) in steps { try LocalFile.remove(path) }
    }
}
