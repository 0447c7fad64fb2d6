import ArgumentParser
import Service

struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy the database consistently, also while the service runs on it.")

    @Argument(help: "The copy's path; nothing may stand there.")
    var destination: String
    @OptionGroup var options: DatabaseOption

    func run() throws {
        try reporting {
            try options.name().backup(to: destination)
            printMessage("The copy is at \(destination).")
        }
    }
}
