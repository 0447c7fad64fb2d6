import ArgumentParser
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
            for line in try Maintenance(options.path()).bring(fileAt: file, isRehearsal: dryRun) { try Terminal.print(line) }
            say(dryRun ? "Nothing was written." : "Imported.")
        }
    }
}
