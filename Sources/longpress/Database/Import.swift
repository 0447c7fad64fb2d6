import ArgumentParser
import Files
import Foundation
import QuickActions
import Service
import Shortcuts
import Storage

struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Bring the apps of an export into a store: all of it, or nothing.",
        discussion: "Apps that the store has, or had, are in the way unless --replace is given.")

    private static let sizeLimit = 64 << 20

    @Argument(help: "The export; - reads standard input.")
    var file: String
    @Flag(help: "Have the apps that are there as the export says; their revision numbers go on above both.")
    var replace = false
    @Flag(help: "Say what it would bring, and write nothing.")
    var dryRun = false
    @OptionGroup var options: DatabaseOption

    func run() throws {
        try reporting {
            let archive = try archive()
            let replacements = try replacements(by: archive, in: options.name())
            for line in archive.apps.map(\.summaryLine) + replacements.map(\.sentence) { try Terminal.print(line) }
            printMessage(dryRun ? "Nothing was written." : "Imported.")
        }
    }

    private func archive() throws -> Archive {
        let isStandardInput = file == "-"
        let name = isStandardInput ? "Standard input" : file
        let document = try isStandardInput ? Terminal.input(atMost: Self.sizeLimit) : FileBytes.read(file, atMost: Self.sizeLimit)
        do throws(Failure) {
            return try ArchiveDocument(try JSON(document: document, named: name)).checked()
        } catch {
            guard !error.violations.isEmpty else { throw error }
            throw FileRefusal(error.violations.map { "\(name): \($0.message)" }.joined(separator: "\n"))
        }
    }

    private func replacements(by archive: Archive, in database: DatabaseName) throws -> [Replacement] {
        // A dry run does not create a database, and without one there are no conflicts.
        guard !dryRun || !database.isMissingFile else { return [] }
        return try database.openStore().importArchive(archive, replacing: replace, dryRun: dryRun, by: .commandLine())
    }
}

extension ArchivedApp {
    fileprivate var summaryLine: String {
        "\(app.id)  \(counted(sets.count, "set")), \(counted(drafts.count, "draft")), \(counted(releases.count, "release")), "
            + "revisions to \(history.lastRevision)"
    }

    private func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
