import ArgumentParser
import Foundation
import Service

struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Bring the apps of an export into a store that has none of them: all of it, or nothing.")

    @Argument(help: "The export; - reads standard input.")
    var file: String
    @Flag(help: "Say what it would bring, and write nothing.")
    var dryRun = false
    @OptionGroup var options: DatabaseOption

    func run() throws {
        try reporting {
            let document = try contents()
            for line in try Maintenance(DatabasePath(options.values())).bring(Array(document), isRehearsal: dryRun) { print(line) }
            say(dryRun ? "Nothing was written." : "Imported.")
        }
    }

    private func contents() throws -> Data {
        guard file != "-" else { return FileHandle.standardInput.readDataToEndOfFile() }
        guard let document = FileManager.default.contents(atPath: file) else {
            throw ValidationError("\(file) cannot be read.")
        }
        return document
    }
}
