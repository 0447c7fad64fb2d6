import ArgumentParser
import Service

struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Bring the apps of an export into a store: all of it, or nothing.",
        discussion: "Apps that the store has, or had, are in the way unless --replace is given.")

    @Argument(help: "The export; - reads standard input.")
    var file: String
    @Flag(help: "Have the apps that are there as the export says; their revision numbers go on above both.")
    var replace = false
    @Flag(help: "Say what it would bring, and write nothing.")
    var dryRun = false
    @OptionGroup var options: DatabaseOption

    func run() throws {
        try reporting {
            for line in try Maintenance(options.path()).bring(fileAt: file, replacing: replace, isRehearsal: dryRun) {
                try Terminal.print(line)
            }
            say(dryRun ? "Nothing was written." : "Imported.")
        }
    }
}
