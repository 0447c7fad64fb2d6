import Foundation
import QuickActions

/// Reads a tree. Fails with the names of everything in it that is not part of the layout.
struct TreeReader {
    private static let documentLimit = 1 << 20
    private static let plistLimit = 4 << 20

    private let folder: String
    /// The only apps to read; empty for all.
    private let chosen: Set<AppID>
    private var apps: [AppID: [DocumentName: TreeFile]] = [:]
    private var problems: [String] = []

    private init(_ folder: String, only chosen: Set<AppID>) {
        self.folder = folder
        self.chosen = chosen
    }

    /// - Parameters:
    ///   - folder: as the command names it.
    ///   - chosen: the only apps to read; empty for all.
    static func read(_ folder: String, only chosen: Set<AppID> = []) throws(RemoteFailure) -> MenuTree {
        let folder = MenuTree.name(folder)
        var reader = TreeReader(folder, only: chosen)
        try reader.readRoot()
        for app in chosen.sorted() where reader.problems.isEmpty && reader.apps[app] == nil {
            throw RemoteFailure("\(folder) has no app \(quoted(app.description)). Check --app, or create \(folder)/\(app).")
        }
        guard reader.problems.isEmpty else { throw RemoteFailure(reader.problems) }
        return MenuTree(folder: folder, apps: reader.apps)
    }

    private mutating func readRoot() throws(RemoteFailure) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            let isFile = FileManager.default.fileExists(atPath: folder)
            throw RemoteFailure(
                "\(folder) is not a folder. Use the folder of the tree"
                    + (isFile ? ", such as menus." : ", or create it with longpress pull \(folder)."))
        }
        let names = Set(entries(of: folder).map(\.name))
        guard names.isEmpty || !names.isSubset(of: ["app.json", "sets", "releases"]) else {
            throw RemoteFailure("\(folder) is the folder of an app. Use the folder that contains it.")
        }
        for entry in entries(of: folder) {
            guard entry.kind == .folder else {
                refuse(entry, "one folder per app, named after its bundle identifier")
                continue
            }
            guard let app = AppID(entry.name) else {
                problems.append("\(entry.path): \(AppID.rule(for: entry.name))")
                continue
            }
            if chosen.isEmpty || chosen.contains(app) { readApp(app, in: entry.path) }
        }
    }

    private mutating func readApp(_ app: AppID, in folder: String) {
        for entry in entries(of: folder) {
            switch (entry.name, entry.kind) {
            case ("app.json", .file):
                if let json = readJSON(entry) { apps[app, default: [:]][.app] = TreeFile(path: entry.path, content: .json(json)) }
            case ("sets", .folder):
                for file in entries(of: entry.path) { readSet(file, of: app) }
            case ("releases", .folder):
                for file in entries(of: entry.path) { readRelease(file, of: app) }
            default: refuse(entry, "app.json, sets/ and releases/")
            }
        }
    }

    private mutating func readSet(_ entry: Entry, of app: AppID) {
        guard entry.kind == .file, entry.suffix == "json" else {
            return refuse(entry, "files such as 2.0.0.json and 2.0.0@member.json")
        }
        guard let name = SetName(entry.stem) else {
            problems.append("\(entry.path): \(SetName.rule(for: entry.stem))")
            return
        }
        guard let json = readJSON(entry) else { return }
        add(TreeFile(path: entry.path, content: .json(json)), .set(name), of: app)
    }

    private mutating func readRelease(_ entry: Entry, of app: AppID) {
        guard entry.kind == .file, ["json", "plist"].contains(entry.suffix) else {
            return refuse(entry, "files such as 3.0.0+512.json and 3.0.0.plist")
        }
        guard let named = AppBuild(entry.stem) else {
            problems.append("\(entry.path): \(AppBuild.rule(for: entry.stem))")
            return
        }
        guard let content = entry.suffix == "json" ? readJSON(entry).map(TreeFile.Content.json) : readPlist(entry) else { return }
        // As in a PUT, the build in the document counts if the name has none.
        let id = AppBuild(named.version, build: named.build ?? content.build)
        add(TreeFile(path: entry.path, content: content), .release(id), of: app)
    }

    private mutating func add(_ file: TreeFile, _ name: DocumentName, of app: AppID) {
        if let other = apps[app]?[name] {
            problems.append("\(other.path) and \(file.path) are the same \(name.title). Keep one of the two.")
        } else {
            apps[app, default: [:]][name] = file
        }
    }

    private mutating func refuse(_ entry: Entry, _ rule: String) {
        let what =
            switch entry.kind {
            case .link: "is a symbolic link, which a tree may not contain"
            case .folder: "is a folder that is not part of the layout"
            case .file: "is a file that is not part of the layout"
            case .other: "is neither a file nor a folder"
            }
        problems.append("\(entry.path) \(what). Expected \(rule).")
    }
}

extension TreeReader {
    private struct Entry {
        enum Kind {
            case file, folder, link, other
        }

        let name: String
        let path: String
        let kind: Kind

        /// The name without its extension, and the extension.
        var stem: String { name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name }
        var suffix: String { name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? "" }
    }

    /// Files that a tree may have beside its documents: notes, and what `pull` writes for a conflict.
    private static let ignored = [".md", ".txt", ".theirs"]

    /// The entries of the folder, ascending by name, without hidden and ignored ones.
    private mutating func entries(of folder: String) -> [Entry] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            problems.append(RemoteFailure(folder, cannotBe: "read", error).description)
            return []
        }
        return names.filter { name in !name.hasPrefix(".") && !Self.ignored.contains { name.hasSuffix($0) } }.sorted().map { name in
            let path = "\(folder)/\(name)"
            return Entry(name: name, path: path, kind: Self.kind(of: path))
        }
    }

    /// Symbolic links are not followed.
    private static func kind(of path: String) -> Entry.Kind {
        switch (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType {
        case .typeRegular: .file
        case .typeDirectory: .folder
        case .typeSymbolicLink: .link
        default: .other
        }
    }

    private mutating func readJSON(_ entry: Entry) -> JSON? {
        guard let bytes = read(entry, atMost: Self.documentLimit) else { return nil }
        guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else {
            problems.append("\(entry.path) begins with a byte order mark, which JSON may not have. Save it as UTF-8 without one.")
            return nil
        }
        do throws(RemoteFailure) {
            return try LocalFile.json(bytes, named: entry.path)
        } catch {
            problems.append(error.description)
            return nil
        }
    }

    private mutating func readPlist(_ entry: Entry) -> TreeFile.Content? {
        read(entry, atMost: Self.plistLimit).map { .infoPlist($0) }
    }

    private mutating func read(_ entry: Entry, atMost limit: Int) -> [UInt8]? {
        do throws(RemoteFailure) {
            return try LocalFile.read(entry.path, atMost: limit)
        } catch {
            problems.append(error.description)
            return nil
        }
    }
}

extension TreeFile.Content {
    /// The build in the document.
    fileprivate var build: BuildNumber? {
        switch self {
        case .json(let json): json.text("build").flatMap { BuildNumber($0) }
        case .infoPlist(let bytes): (try? InfoPlistVersion(bytes, named: ""))?.build.flatMap { BuildNumber($0) }
        }
    }
}

extension SetName {
    fileprivate static func rule(for text: String) -> String {
        "\(quoted(text)) is not the name of a set. Name the file after the version at which the set starts, for example 2.0.0.json. Add "
            + "the audience after an at sign, for example 2.0.0@member.json."
    }
}
