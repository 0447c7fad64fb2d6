import ArgumentParser
import QuickActions
import Remote

struct ReleaseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "release", abstract: "Import, list and delete releases.",
        subcommands: [PutRelease.self, ListReleases.self, DeleteRelease.self])
}

struct PutRelease: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "put", abstract: "Import a release from its built Info.plist, or from JSON.",
        discussion: "An import again replaces the release. Without --assets, an Info.plist keeps the assets of the release.")

    @Argument(help: "The built Info.plist, or a JSON document.")
    var file: String
    @Option(help: "The app's bundle identifier. By default the one in the Info.plist.")
    var app: String?
    @Option(help: "The release, such as 3.0 or 3.0+512. By default the release in the file.")
    var version: String?
    @Option(help: "A folder, the output of assetutil --info, or a list of names; may be repeated.")
    var assets: [String] = []
    @OptionGroup var options: AnswerOptions

    func request(_ read: inout ArgumentReader) -> (app: AppID?, release: AppBuild?)? {
        (read.value("--app", app), read.value("--version", version))
    }

    func perform(_ request: (app: AppID?, release: AppBuild?), on service: RemoteService, _ output: Output) throws {
        let bytes = try LocalFile.read(file, atMost: 4 << 20)
        let listing = try assets.isEmpty ? nil : AssetListing(paths: assets)
        // A property list begins with < or bplist.
        let isPlist = bytes.first == UInt8(ascii: "<") || bytes.first == UInt8(ascii: "b")
        if isPlist {
            try put(infoPlist: bytes, listing, request, on: service, output)
        } else {
            try put(LocalFile.json(bytes, named: file), listing, request, on: service, output)
        }
    }

    private func put(
        infoPlist: [UInt8], _ assets: AssetListing?, _ request: (app: AppID?, release: AppBuild?), on service: RemoteService,
        _ output: Output
    ) throws {
        let list = try InfoPlistVersion(infoPlist, named: file)
        guard let app = request.app ?? list.bundleIdentifier.flatMap({ AppID($0) }) else {
            throw RemoteFailure("\(file) has no usable CFBundleIdentifier. Pass the built Info.plist, or set the app with --app.")
        }
        let release = try request.release ?? parsed(list.release())
        let imported = try service.putRelease(infoPlist: infoPlist, release, of: app)
        var (answer, lines) = (imported.json, imported.json.importedLines(release, app))
        if let assets {
            // An Info.plist names no assets, so they are added to the release that the service made from it.
            let document = JSON.object(imported.json.members.filter { !["shownDifferently", "warnings"].contains($0.name) })
            answer = try service.putRelease(document, assets, release, of: app, tag: imported.entityTag).json
            lines += answer.effectLines
        }
        try output.print(answer, lines)
    }

    private func put(
        _ document: JSON, _ assets: AssetListing?, _ request: (app: AppID?, release: AppBuild?), on service: RemoteService,
        _ output: Output
    ) throws {
        guard let app = request.app else { throw RemoteFailure("\(file) does not name its app. Add --app.") }
        let version = document.text("version").map { $0 + (document.text("build").map { "+\($0)" } ?? "") }
        guard let release = try request.release ?? version.map(parsed) else {
            throw RemoteFailure("\(file) has no version. Add the member version, or set the release with --version.")
        }
        let answer = try service.putRelease(document, assets, release, of: app).json
        try output.print(answer, answer.importedLines(release, app))
    }

    private func parsed(_ release: String) throws -> AppBuild {
        guard let parsed = AppBuild(release) else { throw RemoteFailure("\(file): \(AppBuild.rule(for: release))") }
        return parsed
    }
}

struct ListReleases: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List releases: app, version, static items, minimum OS version.")

    @OptionGroup var selection: AppSelection
    @OptionGroup var options: AnswerOptions

    func request(_ read: inout ArgumentReader) -> [AppID]? { selection.read(&read) }

    func perform(_ apps: [AppID], on service: RemoteService, _ output: Output) throws {
        let lists = try selection.apps(apps, of: service).map { RemoteList.releases(of: $0) }
        try output.print(lists, of: service, empty: "No releases.") { release in
            let items = release.elements("staticItems").count
            return [
                release.text("app") ?? "", (release.text("version") ?? "") + (release.text("build").map { "+\($0)" } ?? ""),
                "\(items) static item\(items == 1 ? "" : "s")", release.text("minimumOSVersion").map { "iOS \($0)" } ?? "",
            ]
        }
    }
}

struct DeleteRelease: ServiceCommand {
    static let configuration = CommandConfiguration(commandName: "delete", abstract: "Delete a release.")

    @Argument(help: "The release, such as 3.0+512. Without a build, the last one of the version.")
    var release: String
    @Option(help: "The app's bundle identifier.")
    var app: String
    @OptionGroup var options: AnswerOptions

    func request(_ read: inout ArgumentReader) -> (app: AppID, release: AppBuild)? {
        let release: AppBuild? = read.value("", release)
        let app: AppID? = read.value("--app", app)
        guard let app, let release else { return nil }
        return (app, release)
    }

    func perform(_ request: (app: AppID, release: AppBuild), on service: RemoteService, _ output: Output) throws {
        let answer = try service.deleteRelease(request.release, of: request.app).json
        let name = request.release.build == nil ? "the last release of version \(request.release)" : "release \(request.release)"
        try output.print(answer, ["Deleted \(name) of \(request.app)."] + answer.effectLines)
    }
}

extension JSON {
    fileprivate func importedLines(_ release: AppBuild, _ app: AppID) -> [String] {
        ["Imported release \(release) of \(app)."] + effectLines
    }

    /// The sets that an imported or deleted release changes on phones.
    fileprivate var effectLines: [String] {
        warningLines + elements("shownDifferently").map { "~     The menu of \($0.setDescription) is shown differently now." }
    }

    private var setDescription: String { "version \(text("version") ?? "?"), audience \(text("audience") ?? "?")" }
}
