import Foundation
import PackagePlugin

/// Puts the files of a target's folder `Files` or `Console/Files` into its code, as `EmbeddedFiles.all`, whenever one of them has changed.
@main struct EmbedFiles: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        let folders = ["Files", "Console/Files"].map { target.directoryURL.appending(path: $0) }
        guard let folder = folders.first(where: { FileManager.default.fileExists(atPath: $0.path) }) else { return [] }
        let script = context.package.directoryURL.appending(path: "scripts/embed-files")
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().map { folder.appending(path: $0) }
            .map { $0.resolvingSymlinksInPath() }
        return [
            .buildCommand(
                displayName: "Embedding the files of \(target.name)", executable: URL(filePath: "/bin/sh"),
                arguments: [script.path, folder.path, output.path], inputFiles: files.filter { !$0.hasDirectoryPath } + [script],
                outputFiles: [output])
        ]
    }
}
