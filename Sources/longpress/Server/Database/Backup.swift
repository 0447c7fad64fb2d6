import ArgumentParser
import Service

struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy the database. The service may be running.")

    @Argument(help: "The path of the copy, which must not exist yet.")
    var destination: String
    @OptionGroup var options: DatabaseOption

    func run() throws {
        try reporting {
            try options.name().backup(to: destination)
            printMessage("The copy is at \(destination).")
        }
    }
}
